using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The subjects that may be published or subscribed to.</summary>
/// <remarks>Without allowed subjects, everything that is not denied is allowed.</remarks>
public sealed record SubjectAccess
{
    /// <summary>The allowed subjects and patterns; empty for all.</summary>
    public IReadOnlyList<string> Allow { get; init; } = [];

    /// <summary>The denied subjects and patterns.</summary>
    public IReadOnlyList<string> Deny { get; init; } = [];

    /// <summary>Whether nothing is restricted.</summary>
    public bool IsEmpty => Allow.Count == 0 && Deny.Count == 0;

    internal static SubjectAccess Read(ClaimsReader reader) => new() { Allow = reader.Texts("allow"), Deny = reader.Texts("deny") };

    internal void Write(Utf8JsonWriter writer, string name)
    {
        writer.WriteStartObject(name);
        writer.Texts("allow", Allow);
        writer.Texts("deny", Deny);
        writer.WriteEndObject();
    }

    internal void AddProblems(bool allowQueue, List<string> problems)
    {
        foreach (var entry in Allow.Concat(Deny)) SubjectRules.CheckPermission(entry, allowQueue, problems);
    }
}
