namespace Postrider.Envelopes;

/// <summary>CloudEvents: written in the form of the options, read in both.</summary>
/// <param name="options">The form, the source and the type.</param>
/// <param name="transport">The transport's name, which decides about prefixes.</param>
/// <param name="time">The clock.</param>
internal sealed class CloudEventFormat(CloudEventOptions options, string transport, TimeProvider time) : EnvelopeFormat
{
    private readonly CloudEventWriter _writer = new(options, CloudEventNames.PrefixOf(transport), time);

    internal override bool WritesAnswers => true;

    // The attribute is an extension, whose meaning is left to the receiver.
    internal override bool HasTimeToLive => false;

    internal override (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(in MessageProperties properties, ReadOnlyMemory<byte> body)
        => _writer.Write(in properties, body);

    internal override Envelope Read(Envelope envelope) => CloudEventReader.Read(envelope);
}
