namespace Postrider.Envelopes;

/// <summary>MassTransit's form of messages.</summary>
internal sealed class MassTransitFormat : EnvelopeFormat
{
    private readonly string[] _types;
    private readonly MassTransitWriter _writer;

    /// <summary>Creates a format.</summary>
    /// <param name="options">The form, the types and the source.</param>
    /// <param name="message">The message of the route or the binding.</param>
    /// <param name="destination">The destination of the messages, in the transport's format.</param>
    /// <param name="time">The clock.</param>
    internal MassTransitFormat(MassTransitOptions options, Type message, string destination, TimeProvider time)
    {
        _types = options.MessageTypes.Count > 0 ? [.. options.MessageTypes] : [MassTransitNames.UrnOf(message)];
        _writer = new(options, _types, destination, time);
    }

    internal override (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(in MessageProperties properties, ReadOnlyMemory<byte> body)
        => _writer.Write(in properties, body);

    internal override Envelope Read(Envelope envelope) => MassTransitReader.Read(envelope, _types);
}
