namespace Postrider.Broker;

/// <summary>A user of the listener for leaf nodes.</summary>
public sealed record LeafUserOptions
{
    /// <summary>The user's name.</summary>
    public required string Name { get; set; }

    /// <summary>The password, in clear or as a bcrypt hash.</summary>
    public string Password { get; set; } = "";

    /// <summary>The account that leaf nodes with this user belong to; null takes the global one.</summary>
    public string? Account { get; set; }
}
