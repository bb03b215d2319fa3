"""A Ray cluster of a head and two nodes on this machine: prints its address; `kill` ends a node."""

import os
import sys

os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112, Ray's own name; else a busy machine lets them wait for minutes

from ray.cluster_utils import Cluster

STORE = 80 * 1024 * 1024  # bytes: as little as Ray takes


def main() -> None:
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(2)]
    cluster.wait_for_nodes()
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(nodes.pop(), allow_graceful=False)
            print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
