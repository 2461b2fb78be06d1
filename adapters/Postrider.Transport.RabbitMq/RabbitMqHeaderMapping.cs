using System.Collections;
using System.Globalization;
using System.Text;
using Postrider.Envelopes;
using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>Properties of messages as AMQP's and back.</summary>
internal static class RabbitMqHeaderMapping
{
    /// <summary>The number of deliveries of the message that were settled before it was stored again for another attempt.</summary>
    internal const string Attempts = "Postrider-Attempts";

    // Headers of the server and the client: they describe this publish or delivery, not the message.
    private static readonly string[] s_hidden = ["x-death", "x-first-death-", "x-last-death-", "x-delivery-count", "x-acquired-count", "x-dotnet-pub-seq-no", "x-opt-", Attempts];

    // Those that count deliveries since a message was stored.
    private static readonly string[] s_counters = ["x-delivery-count", "x-acquired-count", "x-death", "x-dotnet-pub-seq-no"];

    // The server reads further queues from them, and closes the channel if one is not a list.
    private static readonly string[] s_routing = ["CC", "BCC"];

    /// <summary>For sending.</summary>
    /// <param name="properties">The properties.</param>
    /// <param name="attempts">Number of attempts that the message already had.</param>
    internal static BasicProperties ToAmqp(in MessageProperties properties, long attempts = 0)
    {
        var target = new BasicProperties { Persistent = true };
        var headers = new Headers();
        properties.WriteTo(headers);
        var table = new Dictionary<string, object?>(headers.Count + 1, StringComparer.OrdinalIgnoreCase);
        foreach (var (name, value) in headers)
        {
            if (!TrySet(target, name, value))
                Add(table, name, value);
        }

        if (attempts > 0)
            table[Attempts] = attempts;
        target.Headers = table;
        return target;
    }

    /// <summary>Of a message that arrived.</summary>
    internal static Headers FromAmqp(IReadOnlyBasicProperties properties)
    {
        var target = new Headers();
        Add(target, HeaderNames.ContentType, properties.IsContentTypePresent() ? properties.ContentType : null);
        Add(target, HeaderNames.MessageId, properties.IsMessageIdPresent() ? properties.MessageId : null);
        Add(target, HeaderNames.CorrelationId, properties.IsCorrelationIdPresent() ? properties.CorrelationId : null);
        Add(target, HeaderNames.Type, properties.IsTypePresent() ? properties.Type : null);
        if (!properties.IsHeadersPresent() || properties.Headers is null)
            return target;
        foreach (var (name, value) in properties.Headers)
        {
            if (IsHidden(name) || IsRouting(name))
                continue;
            // A byte array is a list as well; here it is a text.
            if (value is IList values and not byte[])
            {
                foreach (var one in values)
                    Add(target, name, Text(one));
            }
            else
            {
                Add(target, name, Text(value));
            }
        }

        return target;
    }

    /// <summary>For another attempt at a message that arrived: stored in its queue only, and sent by this account.</summary>
    /// <param name="properties">The properties as they arrived.</param>
    /// <param name="attempts">Number of attempts that the message already had.</param>
    internal static BasicProperties Again(IReadOnlyBasicProperties properties, long attempts)
    {
        var target = new BasicProperties(properties) { Persistent = true };
        // The server rejects the name of another account.
        target.ClearUserId();
        var table = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, value) in properties.Headers ?? Enumerable.Empty<KeyValuePair<string, object?>>())
        {
            if (!IsCounter(name) && !IsRouting(name))
                table[name] = value;
        }

        table[Attempts] = attempts;
        target.Headers = table;
        return target;
    }

    /// <summary>The number in a header of the server or of this transport; 0 if it has none. Another sender may have written anything.</summary>
    internal static long Number(IReadOnlyBasicProperties properties, string name)
        => properties.IsHeadersPresent() && properties.Headers is { } table && table.TryGetValue(name, out var value) && value is sbyte or byte or short or ushort or int or uint or long
            ? Math.Clamp(Convert.ToInt64(value, CultureInfo.InvariantCulture), 0, int.MaxValue)
            : 0;

    private static bool TrySet(BasicProperties target, string name, string value)
    {
        // A value that does not fit into a short string is sent as a header.
        if (Encoding.UTF8.GetByteCount(value) > RabbitMqAddress.MaxNameBytes)
            return false;
        switch (name)
        {
            case HeaderNames.ContentType when !target.IsContentTypePresent(): target.ContentType = value; return true;
            case HeaderNames.MessageId when !target.IsMessageIdPresent(): target.MessageId = value; return true;
            case HeaderNames.CorrelationId when !target.IsCorrelationIdPresent(): target.CorrelationId = value; return true;
            case HeaderNames.Type when !target.IsTypePresent(): target.Type = value; return true;
            default: return false;
        }
    }

    private static void Add(Dictionary<string, object?> table, string name, string value)
    {
        if (Encoding.UTF8.GetByteCount(name) > RabbitMqAddress.MaxNameBytes)
            throw new ArgumentException($"Header name '{name[..32]}…' has more than {RabbitMqAddress.MaxNameBytes} bytes, the limit of AMQP.", nameof(name));
        if (IsRouting(name))
            throw new ArgumentException($"Header '{name}' names further queues over RabbitMQ, and is not a header of the message: use another name.", nameof(name));
        var bytes = Encoding.UTF8.GetBytes(value);
        if (!table.TryGetValue(name, out var known))
            table[name] = bytes;
        else if (known is List<object?> list)
            list.Add(bytes);
        else
            table[name] = new List<object?> { known, bytes };
    }

    // Names and values of other senders may contain characters that headers do not allow.
    private static void Add(Headers target, string name, string? value)
    {
        if (value is not null && name.Length > 0 && !name.AsSpan().ContainsAny(":\r\n"))
            target.Add(name, value.AsSpan().ContainsAny("\r\n") ? value.ReplaceLineEndings(" ") : value);
    }

    private static string? Text(object? value) => value switch
    {
        byte[] bytes => Encoding.UTF8.GetString(bytes),
        AmqpTimestamp time => time.UnixTime.ToString(CultureInfo.InvariantCulture),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        string or bool => value.ToString(),
        // Tables have no text form.
        _ => null,
    };

    private static bool IsRouting(string name) => s_routing.Contains(name, StringComparer.Ordinal);

    private static bool IsCounter(string name) => s_counters.Contains(name, StringComparer.OrdinalIgnoreCase);

    private static bool IsHidden(string name)
    {
        foreach (var hidden in s_hidden)
        {
            if (name.StartsWith(hidden, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }
}
