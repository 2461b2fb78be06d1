using System.Text;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The time to live in a message's header: seconds, a duration, or <c>never</c>.</summary>
internal static class MessageTtl
{
    /// <summary>Parses a header's value.</summary>
    /// <param name="value">The value; empty for no header.</param>
    /// <param name="seconds">Seconds; 0 for no expiry.</param>
    /// <returns>False when it has none of these forms, or is shorter than a second.</returns>
    public static bool TryParse(ReadOnlySpan<byte> value, out uint seconds) => TryParse(value, out seconds, out _);

    /// <summary>Parses a header's value.</summary>
    /// <param name="value">The value; empty for no header.</param>
    /// <param name="seconds">Seconds; 0 for no expiry.</param>
    /// <param name="never">Whether the value is <c>never</c>.</param>
    /// <returns>False when it has none of these forms, or is shorter than a second.</returns>
    public static bool TryParse(ReadOnlySpan<byte> value, out uint seconds, out bool never)
    {
        seconds = 0;
        never = false;
        if (value.IsEmpty) return true;
        var text = Encoding.UTF8.GetString(value);
        if (text.Equals("never", StringComparison.OrdinalIgnoreCase)) return never = true;
        // In nats-server "0" is a duration, which is too short; other numbers are seconds.
        if (text == "0") return false;
        var number = PublishHeaders.Number(value);
        if (number != ulong.MaxValue)
        {
            seconds = (uint)Math.Min(number, uint.MaxValue);
            return true;
        }
        if (!GoDuration.TryParse(text, out var duration, out _) || duration < TimeSpan.FromSeconds(1)) return false;
        seconds = (uint)Math.Min(duration.TotalSeconds, uint.MaxValue);
        return true;
    }
}
