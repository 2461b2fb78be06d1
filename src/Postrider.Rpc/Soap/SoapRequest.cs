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

    /// <summary>A block of the contract that has to be understood, or null.</summary>
    public string? Demanded { get; set; }

    /// <summary>A block that has to be understood and is nobody's, or null.</summary>
    public string? NotUnderstood { get; set; }
}
