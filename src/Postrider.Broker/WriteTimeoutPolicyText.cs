namespace Postrider.Broker;

/// <summary>nats-server's names of the policies for writes that take too long.</summary>
internal static class WriteTimeoutPolicyText
{
    /// <summary>The policy as monitoring shows it; null when it is not set.</summary>
    internal static string? ToText(this WriteTimeoutPolicy policy) => policy switch
    {
        WriteTimeoutPolicy.Close => "close",
        WriteTimeoutPolicy.Retry => "retry",
        _ => null,
    };
}
