using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Counters: every message of a subject contains the sum so far. The stream's lock is held.</summary>
/// <remarks>Source: nats-server, message counters (NATS ADR-49).</remarks>
internal static class Counter
{
    private static ReadOnlySpan<byte> SourcesHeader => "Nats-Counter-Sources"u8;

    private static ReadOnlySpan<byte> IncrementHeader => "Nats-Incr"u8;

    /// <summary>Adds an increment to a subject's sum.</summary>
    /// <param name="store">The stream's store.</param>
    /// <param name="subject">The subject.</param>
    /// <param name="increment">The increment.</param>
    /// <param name="earlier">Sums of messages that will be stored before this one; this one's is added. Or null.</param>
    /// <param name="headers">The message's headers; on success with the sums of its sources.</param>
    /// <param name="sum">On success the new sum.</param>
    /// <param name="payload">On success the payload to store.</param>
    /// <returns>The problem, or null.</returns>
    public static ApiError? Apply(
        MessageStore store, ReadOnlySpan<byte> subject, DecimalInteger increment, CounterSums? earlier, ref ReadOnlySpan<byte> headers, out string sum, ref ReadOnlySpan<byte> payload)
    {
        sum = "";
        var key = earlier is null ? "" : ByteKey.Of(subject);
        DecimalInteger last;
        Dictionary<string, Dictionary<string, string>> sources;
        if (earlier is not null && earlier.TryGetValue(key, out var reached)) (last, sources) = reached;
        else if (!TryReadLast(store, subject, out last, out sources)) return ApiErrors.MessageCounterBroken;
        if (sources.Count > 0) headers = With(headers, sources);
        var reachedNow = last + increment;
        if (earlier is not null) earlier[key] = (reachedNow, sources);
        sum = reachedNow.ToString();
        payload = Render(sum);
        return null;
    }

    /// <summary>Adds what a source's sum has grown by to this stream's sum.</summary>
    /// <param name="store">The stream's store.</param>
    /// <param name="subject">The subject in this stream.</param>
    /// <param name="headers">The copy's headers, which name its origin; on success with the growth and the sums of all sources.</param>
    /// <param name="payload">The source's sum; on success this stream's.</param>
    /// <returns>The problem, or null.</returns>
    public static ApiError? ApplyCopied(MessageStore store, ReadOnlySpan<byte> subject, ref ReadOnlySpan<byte> headers, ref ReadOnlySpan<byte> payload)
    {
        if (!TryReadSum(payload, out var reached) || !TryReadLast(store, subject, out var last, out var sources)) return ApiErrors.MessageCounterBroken;
        _ = MessageHeaders.TryFind(headers, "Nats-Stream-Source"u8, out var source);
        var fields = Encoding.UTF8.GetString(source).Split(' ');
        var origin = fields.Length >= 5 ? fields[4] : Encoding.UTF8.GetString(subject);
        if (!sources.TryGetValue(fields[0], out var sums)) sources[fields[0]] = sums = new Dictionary<string, string>(StringComparer.Ordinal);
        _ = DecimalInteger.TryParse(sums.GetValueOrDefault(origin), out var before);
        sums[origin] = reached.ToString();
        var growth = reached - before;
        headers = With(MessageHeaders.With(MessageHeaders.Without(headers, IncrementHeader), IncrementHeader, Encoding.ASCII.GetBytes(growth.ToString())), sources);
        payload = Render((last + growth).ToString());
        return null;
    }

    private static byte[] Render(string sum) => Encoding.ASCII.GetBytes($"{{\"val\":\"{sum}\"}}");

    private static byte[] With(ReadOnlySpan<byte> headers, Dictionary<string, Dictionary<string, string>> sources)
        => MessageHeaders.With(
            MessageHeaders.Without(headers, SourcesHeader),
            SourcesHeader,
            JsonSerializer.SerializeToUtf8Bytes(sources, StreamJson.Default.DictionaryStringDictionaryStringString));

    private static bool TryReadLast(MessageStore store, ReadOnlySpan<byte> subject, out DecimalInteger sum, out Dictionary<string, Dictionary<string, string>> sources)
    {
        sum = default;
        sources = new Dictionary<string, Dictionary<string, string>>(StringComparer.Ordinal);
        if (store.Queries.TryReadLast(subject, out var last) != StoreStatus.Ok) return true;
        if (!TryReadSum(last.Payload, out sum)) return false;
        if (!MessageHeaders.TryFind(last.Headers, SourcesHeader, out var text) || text.IsEmpty) return true;
        try
        {
            sources = JsonSerializer.Deserialize(text, StreamJson.Default.DictionaryStringDictionaryStringString) ?? sources;
            return true;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static bool TryReadSum(ReadOnlySpan<byte> payload, out DecimalInteger sum)
    {
        sum = default;
        try
        {
            return DecimalInteger.TryParse(JsonSerializer.Deserialize(payload, StreamJson.Lenient.CounterValue)?.Value, out sum);
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
