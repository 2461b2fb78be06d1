using Postrider.Envelopes;

namespace Postrider.Transport.Aws;

/// <summary>A topic to which messages are published; each subscribed queue gets them unchanged (raw delivery).</summary>
internal sealed class SnsTarget(AwsConnection connection, AwsDestination topic, bool isForDeadLetters) : IAwsTarget
{
    public int MaxBytes => SqsLimits.MaxPublishedBytes;

    public bool Delays => false;

    public AwsMessage Encode(in MessageProperties properties, ReadOnlyMemory<byte> body)
        => SqsMessageMapping.ToAws(in properties, body, connection.Options.QueueType, isForDeadLetters);

    public async Task<Exception?[]> SendAsync(IReadOnlyList<AwsMessage> batch, CancellationToken ct)
    {
        var arn = connection.Region.Arn("sns", await connection.AccountAsync(ct).ConfigureAwait(false), topic.Name);
        return await connection.Sns.PublishAsync(arn, batch, ct).ConfigureAwait(false);
    }
}
