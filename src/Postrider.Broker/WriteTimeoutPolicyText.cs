namespace Postrider.Broker;

/// <summary>Policies for writes that take too long in nats-server's words.</summary>
internal static class WriteTimeoutPolicyText
{
    /// <summary>The policy as monitoring shows it; null where it is not set.</summary>
    internal static string? ToText(this WriteTimeoutPolicy policy) => policy switch
    {
        WriteTimeoutPolicy.Close => "close",
        WriteTimeoutPolicy.Retry => "retry",
        _ => null,
    };
}
