"""Public test doubles for those who build on khabot: scripted models, in-memory stores."""
