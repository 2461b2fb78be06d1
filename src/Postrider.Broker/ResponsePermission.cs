namespace Postrider.Broker;

/// <summary>How many answers a user may send to a reply subject it received, and for how long.</summary>
public sealed record ResponsePermission
{
    /// <summary>Answers per reply subject; negative allows any number.</summary>
    public int MaxMessages { get; set; } = 1;

    /// <summary>Time in which they may be sent; negative sets no limit.</summary>
    public TimeSpan Expires { get; set; } = TimeSpan.FromMinutes(2);
}
