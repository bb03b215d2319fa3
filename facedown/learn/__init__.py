"""Learning from recorded games how people play: samples, classifiers, simulated people."""
