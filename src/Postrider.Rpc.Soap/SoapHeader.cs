namespace Postrider.Rpc.Soap;

/// <summary>The headers of an envelope.</summary>
/// <param name="Version">The envelope's.</param>
/// <param name="Headers">The call's headers, or null: blocks of the contract's namespace.</param>
/// <param name="Action">WS-Addressing's action, or null without addressing.</param>
/// <param name="RelatesTo">The message that this one responds to, or null.</param>
/// <param name="To">The address that is called, or null in responses.</param>
/// <param name="Token">The caller's token, or null.</param>
/// <param name="Now">The clock's time, for the token's time stamp.</param>
internal readonly record struct SoapHeader(
    SoapVersion Version, RpcHeaders? Headers = null, string? Action = null, string? RelatesTo = null, string? To = null, UsernameToken? Token = null, DateTimeOffset Now = default)
{
    public bool IsEmpty => Headers is null && Action is null && Token is null;
}
