namespace Postrider.Broker;

/// <summary>Limits the replies that a user may send to the reply subjects it receives.</summary>
public sealed record ResponsePermission
{
    /// <summary>Maximum number of replies per reply subject; negative for no limit.</summary>
    public int MaxMessages { get; set; } = 1;

    /// <summary>The time in which they may be sent; negative for no limit.</summary>
    public TimeSpan Expires { get; set; } = TimeSpan.FromMinutes(2);
}
