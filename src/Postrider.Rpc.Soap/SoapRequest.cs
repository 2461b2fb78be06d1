namespace Postrider.Rpc.Soap;

/// <summary>What an envelope's headers said.</summary>
internal sealed class SoapRequest
{
    /// <summary>Blocks of text by their local names.</summary>
    public RpcHeaders? Headers { get; set; }

    /// <summary>WS-Addressing's action.</summary>
    public string? Action { get; set; }

    /// <summary>WS-Addressing's id of the message.</summary>
    public string? MessageId { get; set; }

    /// <summary>The message that this one answers.</summary>
    public string? RelatesTo { get; set; }

    /// <summary>Where the answer is wanted; null for the usual way back.</summary>
    public string? ReplyTo { get; set; }

    /// <summary>Some header of WS-Addressing was there.</summary>
    public bool IsAddressed { get; set; }

    /// <summary>What WS-Security said, or null.</summary>
    public SoapSecurity? Security { get; set; }

    /// <summary>WS-Security has to be understood.</summary>
    public bool DemandsSecurity { get; set; }

    /// <summary>A block of the contract that has to be understood, or null.</summary>
    public string? Demanded { get; set; }

    /// <summary>A block that must be understood and is not, or null.</summary>
    public string? NotUnderstood { get; set; }
}
