namespace Postrider.Envelopes;

/// <summary>Headers of messages that other systems wrote.</summary>
internal static class ForeignHeaders
{
    /// <summary>A copy, so that the original message is not changed.</summary>
    internal static Headers Copy(Headers headers)
    {
        var copy = new Headers();
        foreach (var (name, value) in headers)
            copy.Add(name, value);
        return copy;
    }

    /// <summary>Sets a header whose name and value may contain characters that headers do not allow: such a name is omitted, a line break becomes a
    /// space, as transports do with the headers of other senders.</summary>
    internal static void Set(Headers target, string name, string? value)
    {
        if (value is not null && name.Length > 0 && !name.AsSpan().ContainsAny(":\r\n"))
            target[name] = value.AsSpan().ContainsAny("\r\n") ? value.ReplaceLineEndings(" ") : value;
    }

    /// <summary>The same message with other headers and another body.</summary>
    internal static Envelope With(Envelope envelope, Headers headers, ReadOnlyMemory<byte> body)
        => new() { Destination = envelope.Destination, ReplyTo = envelope.ReplyTo, Delivery = envelope.Delivery, Headers = headers, Body = body };
}
