namespace Postrider.Rpc.Soap;

/// <summary>What stands in an envelope besides its body.</summary>
/// <param name="Version">The envelope's.</param>
/// <param name="Headers">The call's headers, or null: blocks of the contract's namespace.</param>
/// <param name="Action">WS-Addressing's action, or null where nobody addresses.</param>
/// <param name="RelatesTo">The message that this one answers, or null.</param>
internal readonly record struct SoapHeader(SoapVersion Version, RpcHeaders? Headers = null, string? Action = null, string? RelatesTo = null);
