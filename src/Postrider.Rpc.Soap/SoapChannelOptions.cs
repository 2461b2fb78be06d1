using Postrider.Sockets;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>Options of a <see cref="SoapChannel"/>.</summary>
public sealed record SoapChannelOptions
{
    /// <summary>The version of the envelope.</summary>
    public SoapVersion Version { get; init; }

    /// <summary>Whether envelopes have WS-Addressing 1.0 headers (action, address, message id), as WCF's WSHttpBinding
    /// requires.</summary>
    public bool UsesAddressing { get; init; }

    /// <summary>Whether bytes of 1 KiB and more are sent as MTOM attachments instead of base64. Responses may use MTOM in any
    /// case.</summary>
    public bool UsesAttachments { get; init; }

    /// <summary>Whether requests of 1 KiB and more are compressed with gzip. Responses may be compressed in any case.</summary>
    public bool Compresses { get; init; }

    /// <summary>The username and password sent in the envelope, as WCF's TransportWithMessageCredential requires. The address must be
    /// https.</summary>
    public UsernameToken? Token { get; init; }

    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The maximum response size in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The limits for reading; null for the defaults.</summary>
    public XmlLimits? Limits { get; init; }

    /// <summary>The socket engine of the channel's own connections. By default, one thread waits for all of them on Linux.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
