namespace Postrider.Rpc.Soap;

/// <summary>The headers of a received envelope.</summary>
internal sealed class SoapRequest
{
    /// <summary>Text header blocks by their local names.</summary>
    public RpcHeaders? Headers { get; set; }

    /// <summary>WS-Addressing's action.</summary>
    public string? Action { get; set; }

    /// <summary>WS-Addressing's id of the message.</summary>
    public string? MessageId { get; set; }

    /// <summary>The message that this one responds to.</summary>
    public string? RelatesTo { get; set; }

    /// <summary>The address for the response; null for the default.</summary>
    public string? ReplyTo { get; set; }

    /// <summary>Some header of WS-Addressing was there.</summary>
    public bool IsAddressed { get; set; }

    /// <summary>The WS-Security header, or null.</summary>
    public SoapSecurity? Security { get; set; }

    /// <summary>WS-Security has to be understood.</summary>
    public bool DemandsSecurity { get; set; }

    /// <summary>A block of the contract that has to be understood, or null.</summary>
    public string? Demanded { get; set; }

    /// <summary>A block that must be understood and is not, or null.</summary>
    public string? NotUnderstood { get; set; }
}
