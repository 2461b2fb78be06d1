using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>How a <see cref="SoapChannel"/> calls.</summary>
public sealed class SoapChannelOptions
{
    /// <summary>The version of the envelope.</summary>
    public SoapVersion Version { get; init; }

    /// <summary>The action travels in the envelope too, as WS-Addressing has it: for WCF's WSHttpBinding.</summary>
    public bool UsesAddressing { get; init; }

    /// <summary>How long a call may take whose <see cref="CallContext.Timeout"/> says nothing; infinite for no limit.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The largest answer, in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Bounds what is read; null for the defaults.</summary>
    public XmlLimits? Limits { get; init; }

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
