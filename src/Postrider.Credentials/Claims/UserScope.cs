namespace Postrider.Credentials;

/// <summary>A scope of a signing key: the settings of all users that it signs.</summary>
public sealed record UserScope
{
    /// <summary>The name of the role, for people and tools.</summary>
    public string Role { get; init; } = "";

    /// <summary>The description of the role.</summary>
    public string Description { get; init; } = "";

    /// <summary>What the users may do. Subjects may contain <c>{{name()}}</c>, <c>{{subject()}}</c>, <c>{{account-name()}}</c>,
    /// <c>{{account-subject()}}</c>, <c>{{tag(…)}}</c> and <c>{{account-tag(…)}}</c>, which servers replace for each user.</summary>
    public UserSettings Template { get; init; } = new();
}
