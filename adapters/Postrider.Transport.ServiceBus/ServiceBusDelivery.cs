using System.Globalization;
using Amqp.Types;
using Postrider.Envelopes;

namespace Postrider.Transport.ServiceBus;

/// <summary>A delivery, settled with the service's outcomes on the link on which it arrived.</summary>
internal sealed class ServiceBusDelivery(ArrivedMessage message, EntityReceiver receiver, EntitySender? copies, ServiceBusConnection connection, ServiceBusBinding binding) : MessageDelivery
{
    // The prefix of DeadLetterHeaders.
    private const string DeadLetterPrefix = "Postrider-Dead-Letter-";

    // The service's limit of the reason and the description.
    private const int MaxTextChars = 4096;

    protected override ValueTask SettleAsync(Settlement settlement)
    {
        switch (settlement.Kind)
        {
            case SettlementKind.Retry when settlement.Delay <= TimeSpan.Zero:
                receiver.Abandon(message);
                return default;
            case SettlementKind.Retry when copies is null:
                IsHeld = true;
                receiver.AbandonAfter(message, settlement.Delay);
                return default;
            case SettlementKind.Retry:
                return StoreAgainAsync(copies, settlement.Delay);
            case SettlementKind.DeadLetter when settlement.Headers is { } headers:
                receiver.DeadLetter(message, Info(headers));
                return default;
            case SettlementKind.Return:
                receiver.Release(message);
                return default;
            default:
                receiver.Accept(message);
                return default;
        }
    }

    /// <summary>Whether the body is bytes or text.</summary>
    internal bool HasBytes => ServiceBusHeaderMapping.TryBody(message.Message, out _);

    /// <summary>Whether the receiver keeps the message until its delay has passed.</summary>
    internal bool IsHeld { get; private set; }

    // The copy is stored first: a process that dies in between leaves two messages, never none.
    private async ValueTask StoreAgainAsync(EntitySender sender, TimeSpan delay)
    {
        if (message.IsLost)
            return;
        var due = connection.Time.GetUtcNow() + delay;
        var id = string.Create(CultureInfo.InvariantCulture, $"attempt.{Count}.{binding.Source}.{Sequence}.{StoredAt?.Ticks}");
        await sender.SendAsync(() => ServiceBusHeaderMapping.Again(message.Message, Count, due, id), CancellationToken.None).ConfigureAwait(false);
        receiver.Accept(message);
    }

    // The service adds these to the properties of the message.
    private static Fields Info(Headers headers)
    {
        var info = new Fields
        {
            [(Symbol)ServiceBusHeaderMapping.Reason] = Short(headers[DeadLetterHeaders.Reason] ?? ""),
            [(Symbol)ServiceBusHeaderMapping.Description] = Short(headers[HeaderNames.Error] ?? ""),
        };
        foreach (var (name, value) in headers)
        {
            if (name.StartsWith(DeadLetterPrefix, StringComparison.OrdinalIgnoreCase) || name is HeaderNames.Error or HeaderNames.ErrorCode)
                info[(Symbol)name] = value;
        }

        return info;
    }

    private static string Short(string text) => text.Length <= MaxTextChars ? text : text[..MaxTextChars];
}
