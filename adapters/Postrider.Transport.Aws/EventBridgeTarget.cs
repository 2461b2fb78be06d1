using Amazon.Runtime;
using Postrider.Envelopes;

namespace Postrider.Transport.Aws;

/// <summary>An event bus to which messages are sent.</summary>
internal sealed class EventBridgeTarget(AwsConnection connection, AwsDestination bus) : IAwsTarget
{
    private const int MaxDetailTypeChars = 128;

    // EventBridge may accept events for a bus that does not exist: that would be a loss without an error.
    private static readonly TimeSpan s_checkInterval = TimeSpan.FromMinutes(1);

    private long _checkedAt;

    public int MaxBytes => SqsLimits.MaxPublishedBytes;

    public bool Delays => false;

    public AwsMessage Encode(in MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        var detail = EventBridgeMapping.ToDetail(in properties, body);
        var type = properties.Type is { Length: > 0 } named ? named : "message";
        if (type.Length > MaxDetailTypeChars)
            type = type[..MaxDetailTypeChars];
        return new() { Body = detail, DetailType = type, Bytes = EventBridgeMapping.Size(detail, type, connection.Options.EventSource) };
    }

    public async Task<Exception?[]> SendAsync(IReadOnlyList<AwsMessage> batch, CancellationToken ct)
    {
        await CheckAsync(ct).ConfigureAwait(false);
        return await connection.Events.PutAsync(bus.Name, connection.Options.EventSource, batch, ct).ConfigureAwait(false);
    }

    private async ValueTask CheckAsync(CancellationToken ct)
    {
        var last = Interlocked.Read(ref _checkedAt);
        if (last != 0 && connection.Time.GetElapsedTime(last) < s_checkInterval)
            return;
        try
        {
            await connection.Events.DescribeBusAsync(bus.Name, ct).ConfigureAwait(false);
        }
        catch (AmazonServiceException denied) when (AwsErrors.IsDenied(denied))
        {
            // The account may send but not describe the bus.
        }

        Interlocked.Exchange(ref _checkedAt, connection.Time.GetTimestamp());
    }
}
