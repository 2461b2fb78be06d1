"""Starts moto with queues that lose no message when requests arrive at the same time.

moto serves each request on a thread of its own, and a deletion copies the list of messages and then replaces it, so that a message sent
meanwhile is lost.
"""

from moto.server import main
from moto.sqs.models import Queue

delete = Queue.delete_message


def delete_alone(queue, receipt_handle):
    with queue._messages_lock:
        delete(queue, receipt_handle)


Queue.delete_message = delete_alone
main()
