using System.Globalization;
using System.Runtime.CompilerServices;
using Amazon.SQS.Model;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Aws;

/// <summary>Receives the messages of a queue, and makes those that are kept visible again.</summary>
/// <remarks>SQS has no other way to read a message. Other receivers do not get the messages meanwhile, for at most <see cref="Lease"/>.</remarks>
internal sealed partial class DeadLetterScan(AwsConnection connection, string queue, string source)
{
    // Received messages are kept in memory.
    private const int MaxMessages = 10_000;
    private const long MaxBytes = 64 * 1024 * 1024;

    private readonly List<(DeadLetterMessage Letter, Message Message)> _taken = [];

    /// <summary>How long a message is hidden from others if this process ends.</summary>
    internal static TimeSpan Lease { get; } = TimeSpan.FromMinutes(2);

    /// <summary>Reads the messages that are there, the oldest first; at most 10,000 or 64 MiB.</summary>
    internal async IAsyncEnumerable<DeadLetterMessage> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        var present = await CountAsync(ct).ConfigureAwait(false);
        var bytes = 0L;
        while (_taken.Count < MaxMessages && bytes < MaxBytes)
        {
            // The count may be too low, and a short poll may miss messages: while some are expected, the service is told to query all its servers.
            var messages = await ReceiveAsync(_taken.Count < present ? 1 : 0, ct).ConfigureAwait(false);
            if (messages.Count == 0)
                break;
            foreach (var message in messages)
            {
                // A standard queue may deliver a message twice; the later receipt is used.
                _taken.RemoveAll(taken => taken.Message.MessageId == message.MessageId);
                bytes += message.Body?.Length ?? 0;
                _taken.Add((Letter(message), message));
            }
        }

        foreach (var (letter, _) in _taken.OrderBy(static taken => taken.Letter.StoredAt).ThenBy(static taken => Sequence(taken.Message), StringComparer.Ordinal).ToArray())
            yield return letter;
    }

    /// <summary>Removes a message that was read.</summary>
    internal async ValueTask RemoveAsync(DeadLetterMessage letter)
    {
        var at = _taken.FindIndex(taken => ReferenceEquals(taken.Letter, letter));
        var receipt = _taken[at].Message.ReceiptHandle;
        await connection.CallAsync(source, async ct => await connection.Sqs.DeleteMessageAsync(new(await connection.QueueUrlAsync(queue, ct).ConfigureAwait(false), receipt), ct).ConfigureAwait(false), CancellationToken.None).ConfigureAwait(false);
        _taken.RemoveAt(at);
    }

    /// <summary>Makes kept messages visible again. Those for which this fails become visible when the lease ends.</summary>
    internal async ValueTask EndAsync()
    {
        foreach (var batch in _taken.Chunk(SqsLimits.MaxBatch))
        {
            var entries = batch.Select(static (taken, i) => new ChangeMessageVisibilityBatchRequestEntry(i.ToString(CultureInfo.InvariantCulture), taken.Message.ReceiptHandle) { VisibilityTimeout = 0 }).ToList();
            try
            {
                await connection.CallAsync(source, async ct => await connection.Sqs.ChangeMessageVisibilityBatchAsync(new(await connection.QueueUrlAsync(queue, ct).ConfigureAwait(false), entries), ct).ConfigureAwait(false), CancellationToken.None).ConfigureAwait(false);
            }
            catch (Exception gone) when (gone is PostriderException or TimeoutException or ObjectDisposedException)
            {
                LogHidden(connection.Logger, batch.Length, queue, Lease, gone);
            }
        }
    }

    private async ValueTask<int> CountAsync(CancellationToken ct)
        => await connection.CallAsync(
            source,
            async stop =>
            {
                connection.Forget(queue);
                var url = await connection.QueueUrlAsync(queue, stop).ConfigureAwait(false);
                return (await connection.Sqs.GetQueueAttributesAsync(new GetQueueAttributesRequest(url, ["ApproximateNumberOfMessages"]), stop).ConfigureAwait(false)).ApproximateNumberOfMessages;
            },
            ct).ConfigureAwait(false);

    private async ValueTask<List<Message>> ReceiveAsync(int waitSeconds, CancellationToken ct)
        => await connection.CallAsync(
            source,
            async stop =>
            {
                var url = await connection.QueueUrlAsync(queue, stop).ConfigureAwait(false);
                var request = new ReceiveMessageRequest
                {
                    QueueUrl = url,
                    MaxNumberOfMessages = SqsLimits.MaxBatch,
                    WaitTimeSeconds = waitSeconds,
                    VisibilityTimeout = SqsLimits.Seconds(Lease),
                    MessageAttributeNames = ["All"],
                    MessageSystemAttributeNames = ["All"],
                };
                return (await connection.Sqs.ReceiveMessageAsync(request, stop).ConfigureAwait(false)).Messages ?? [];
            },
            ct).ConfigureAwait(false);

    private DeadLetterMessage Letter(Message message)
    {
        var (headers, body) = SqsMessageMapping.FromAws(message);
        // The service moved it with its redrive policy: it reports the source, but not the reason.
        if (headers[DeadLetterHeaders.Stream] is null && message.Attributes?.GetValueOrDefault("DeadLetterQueueSourceArn") is { } arn && arn.Split(':') is [.., { Length: > 0 } origin])
            (headers[DeadLetterHeaders.Stream], headers[DeadLetterHeaders.Subject]) = (origin, origin);
        return new DeadLetterMessage { Id = message.MessageId, Source = source, Headers = headers, Body = body, StoredAt = SqsDelivery.SentAt(message) };
    }

    private static string Sequence(Message message) => message.Attributes?.GetValueOrDefault("SequenceNumber") is { } number ? number.PadLeft(40, '0') : message.MessageId;

    [LoggerMessage(8, LogLevel.Warning, "{Count} dead letters of queue '{Queue}' that were read stay hidden for up to {Lease}.")]
    private static partial void LogHidden(ILogger logger, int count, string queue, TimeSpan lease, Exception error);
}
