using Postrider.Rpc.Framing;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Server;

/// <summary>One call that was read.</summary>
internal abstract class SoapCall(SoapHandler handler)
{
    public SoapHandler Handler { get; } = handler;

    public abstract ValueTask RunAsync(CallContext? context, CancellationToken ct);

    /// <summary>Writes the envelope of the answer.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="header">What stands besides the answer.</param>
    /// <param name="attachments">Takes what need not be in the envelope; null when everything has to be.</param>
    public abstract void Write(FrameBuffer output, in SoapHeader header, XmlAttachments? attachments);
}
