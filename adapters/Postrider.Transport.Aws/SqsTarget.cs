using System.Globalization;
using Amazon.SQS.Model;
using Postrider.Envelopes;

namespace Postrider.Transport.Aws;

/// <summary>A queue that messages are sent to.</summary>
internal sealed class SqsTarget(AwsConnection connection, AwsDestination queue, bool isForDeadLetters) : IAwsTarget
{
    public int MaxBytes => SqsLimits.MaxMessageBytes;

    public bool Delays => true;

    public AwsMessage Encode(in MessageProperties properties, ReadOnlyMemory<byte> body)
        => SqsMessageMapping.ToAws(in properties, body, connection.Options.QueueType, isForDeadLetters);

    public async Task<Exception?[]> SendAsync(IReadOnlyList<AwsMessage> batch, CancellationToken ct)
    {
        try
        {
            var entries = batch.Select(static (message, i) => new SendMessageBatchRequestEntry
            {
                Id = i.ToString(CultureInfo.InvariantCulture),
                MessageBody = message.Body,
                MessageGroupId = message.GroupId,
                MessageDeduplicationId = message.DeduplicationId,
                DelaySeconds = message.DelaySeconds > 0 ? message.DelaySeconds : null,
                MessageAttributes = message.Attributes.ToDictionary(static attribute => attribute.Key, static attribute => new MessageAttributeValue { DataType = "String", StringValue = attribute.Value }, StringComparer.Ordinal),
            }).ToList();
            var url = await connection.QueueUrlAsync(queue.Name, ct).ConfigureAwait(false);
            var answer = await connection.Sqs.SendMessageBatchAsync(new SendMessageBatchRequest(url, entries), ct).ConfigureAwait(false);
            return SqsResults.Of(batch.Count, answer.Successful?.Select(static entry => entry.Id), answer.Failed);
        }
        catch (QueueDoesNotExistException)
        {
            connection.Forget(queue.Name);
            throw;
        }
    }
}
