"""Starts moto with queues that keep messages and the order of FIFO groups when requests arrive at the same time.

moto serves each request on a thread of its own. A deletion copies the list of messages and then replaces it, so that a message sent
meanwhile is lost, and a receive call looks only at its start which groups are being handled, so that two calls can get messages of one group.
"""

from threading import Event
from time import monotonic

from moto.server import main
from moto.sqs.models import Queue, SQSBackend

PAUSE_SECONDS = 0.02

delete = Queue.delete_message
receive = SQSBackend.receive_message
change_visibility = SQSBackend.change_message_visibility


def delete_alone(queue, receipt_handle):
    with queue._messages_lock:
        delete(queue, receipt_handle)


def change_visibility_alone(backend, queue_name, receipt_handle, visibility_timeout):
    with backend.get_queue(queue_name)._messages_lock:
        change_visibility(backend, queue_name, receipt_handle, visibility_timeout)


def receive_alone(backend, queue_name, count, wait_seconds_timeout, visibility_timeout, message_attribute_names=None):
    queue = backend.get_queue(queue_name)
    until = monotonic() + (wait_seconds_timeout or 0)
    while True:
        with queue._messages_lock:
            result = receive(backend, queue_name, count, 0, visibility_timeout, message_attribute_names)
        if result or monotonic() >= until:
            return result
        # Messages of groups that are being handled are visible: waiting for a message would return at once.
        Event().wait(PAUSE_SECONDS)


Queue.delete_message = delete_alone
SQSBackend.change_message_visibility = change_visibility_alone
SQSBackend.receive_message = receive_alone
main()
