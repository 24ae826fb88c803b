"""Files of the queue: uploads and products, folders of stages, evidence, and their removal."""
