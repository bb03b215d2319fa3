"""What takes long keeps nobody waiting for anything else."""

import asyncio
import json
import threading

from facedown.core import SpecError
from facedown.table.web.beside import Beside
from facedown.table.web.parts import answered


def test_forms_that_wait_keep_no_other_form_waiting_nor_other_kinds_of_work():
    go, began = threading.Event(), threading.Semaphore(0)

    def wait():
        began.release()
        assert go.wait(60)
        return {"path": "/slow"}

    async def ask():
        forms, other = Beside("test-forms", 60), Beside("test-other", 1)
        slow = [asyncio.create_task(answered(wait, forms)) for _ in range(59)]  # over FastAPI's 40
        for _ in slow:
            await asyncio.to_thread(began.acquire)
        quick = await answered(lambda: {"path": "/quick"}, forms)
        assert json.loads(quick.body) == {"path": "/quick"}
        assert await other(lambda: 7) == 7
        go.set()
        return [json.loads((await one).body) for one in slow]

    assert asyncio.run(ask()) == [{"path": "/slow"}] * 59


def test_a_form_that_cannot_be_is_answered_in_one_line():
    def wrong():
        raise SpecError("no such\ngame")

    told = asyncio.run(answered(wrong))
    assert told.status_code == 400
    assert "\n" not in json.loads(told.body)["wrong"]
    assert asyncio.run(answered(lambda: {}[0])).status_code == 500
