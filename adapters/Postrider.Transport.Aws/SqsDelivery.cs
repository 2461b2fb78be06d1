using Amazon.SQS.Model;

namespace Postrider.Transport.Aws;

/// <summary>A delivery, settled by deleting the message or by making it visible again.</summary>
internal sealed class SqsDelivery(SqsListener listener, ReceivedLease held) : MessageDelivery
{
    /// <summary>How often a message was received, including this time.</summary>
    internal static long CountOf(Message message) => Math.Max(1, Number(message, "ApproximateReceiveCount") ?? 1);

    /// <summary>When a message was sent.</summary>
    internal static DateTimeOffset? SentAt(Message message)
        => Number(message, "SentTimestamp") is { } milliseconds ? DateTimeOffset.FromUnixTimeMilliseconds(Math.Clamp(milliseconds, 0, 253_402_300_799_999)) : null;

    protected override async ValueTask SettleAsync(Settlement settlement)
    {
        switch (settlement.Kind)
        {
            case SettlementKind.Retry:
                await listener.Leases.RemoveAsync(held).ConfigureAwait(false);
                await listener.ShowAgainAsync(held.Message, settlement.Delay).ConfigureAwait(false);
                break;
            case SettlementKind.Return:
                // The service counts a receive whose message was returned.
                await listener.Leases.RemoveAsync(held).ConfigureAwait(false);
                await listener.ShowAgainAsync(held.Message, TimeSpan.Zero).ConfigureAwait(false);
                break;
            default:
                // The dead letter has been stored by its sender. The lease is renewed until the message is deleted: a service that is slow, or
                // throttles, would deliver it again meanwhile.
                held.IsDeleting = true;
                await listener.DeleteAsync(held.Message).ConfigureAwait(false);
                break;
        }
    }

    private static long? Number(Message message, string attribute)
        => message.Attributes?.GetValueOrDefault(attribute) is { } text && long.TryParse(text, System.Globalization.CultureInfo.InvariantCulture, out var number) ? number : null;
}
