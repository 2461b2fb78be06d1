namespace Postrider.Envelopes;

/// <summary>The form of a route's or a binding's messages on the wire, if it is not Postrider's own headers.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class EnvelopeFormat
{
    /// <summary>Whether replies are written in this form as well.</summary>
    internal virtual bool WritesAnswers => false;

    /// <summary>Whether the form has a time to live, after which a message is not handled; false if its expiry is only a header.</summary>
    internal virtual bool HasTimeToLive => true;

    /// <summary>Writes a message.</summary>
    /// <param name="properties">Its properties.</param>
    /// <param name="body">Its body.</param>
    /// <returns>The properties and the body that are sent.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the form cannot express the body.</exception>
    internal abstract (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(in MessageProperties properties, ReadOnlyMemory<byte> body);

    /// <summary>Reads a message.</summary>
    /// <param name="envelope">The message as it arrived. It is not modified: a dead letter keeps the original form.</param>
    /// <returns>The message in Postrider's own form; the same object if it has a form other than this one.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: it claims to have this form and is not valid.</exception>
    internal abstract Envelope Read(Envelope envelope);
}
