using Postrider.Rpc.Framing;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>One call that was read.</summary>
internal abstract class SoapCall(SoapHandler handler)
{
    public SoapHandler Handler { get; } = handler;

    public abstract ValueTask RunAsync(CallContext? context, CancellationToken ct);

    /// <summary>Writes the envelope of the response.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="header">The headers of the response.</param>
    /// <param name="attachments">Receives content that can be outside the envelope; null if everything has to be inside.</param>
    public abstract void Write(FrameBuffer output, in SoapHeader header, XmlAttachments? attachments);
}
