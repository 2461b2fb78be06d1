using Postrider.Sockets;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>How a <see cref="SoapChannel"/> calls.</summary>
public sealed class SoapChannelOptions
{
    /// <summary>The version of the envelope.</summary>
    public SoapVersion Version { get; init; }

    /// <summary>The envelope says what is asked and whom, with an id, as WS-Addressing 1.0 has it: for WCF's WSHttpBinding.</summary>
    public bool UsesAddressing { get; init; }

    /// <summary>Bytes of 1 KiB and more travel beside the envelope instead of in base 64, as MTOM has it. Answers may do so in any case.</summary>
    public bool UsesAttachments { get; init; }

    /// <summary>Requests of 1 KiB and more go in gzip. Answers may do so in any case.</summary>
    public bool Compresses { get; init; }

    /// <summary>The caller's name and password, in the envelope: for WCF's TransportWithMessageCredential. The address must be of https.</summary>
    public UsernameToken? Token { get; init; }

    /// <summary>How long a call may take whose <see cref="CallContext.Timeout"/> says nothing; infinite for no limit.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The largest answer, in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Bounds what is read; null for the defaults.</summary>
    public XmlLimits? Limits { get; init; }

    /// <summary>What moves the bytes of the channel's own connections: on Linux by default one thread that waits for all of them.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
