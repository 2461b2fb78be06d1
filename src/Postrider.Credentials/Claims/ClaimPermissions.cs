using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The permissions of a user to publish and subscribe.</summary>
public sealed record ClaimPermissions
{
    /// <summary>The subjects that may be published to.</summary>
    public SubjectAccess Publish { get; init; } = new();

    /// <summary>The subjects that may be subscribed to; an entry may name a queue group after a space.</summary>
    public SubjectAccess Subscribe { get; init; } = new();

    /// <summary>The permission to reply; null for none.</summary>
    public ResponseAccess? Responses { get; init; }

    /// <summary>Whether nothing is restricted.</summary>
    public bool IsEmpty => Publish.IsEmpty && Subscribe.IsEmpty && Responses is null;

    internal static ClaimPermissions Read(ClaimsReader reader) => new()
    {
        Publish = SubjectAccess.Read(reader.ObjectOrEmpty("pub")),
        Subscribe = SubjectAccess.Read(reader.ObjectOrEmpty("sub")),
        Responses = reader.Object("resp") is { } responses
            ? new ResponseAccess((int)Math.Clamp(responses.Number("max"), int.MinValue, int.MaxValue), responses.Nanoseconds("ttl"))
            : null,
    };

    internal void Write(Utf8JsonWriter writer)
    {
        Publish.Write(writer, "pub");
        Subscribe.Write(writer, "sub");
        if (Responses is null) return;
        writer.WriteStartObject("resp");
        writer.WriteNumber("max", Responses.MaxMessages);
        writer.WriteNumber("ttl", ClaimsWriter.ToNanoseconds(Responses.Expires));
        writer.WriteEndObject();
    }

    internal void AddProblems(List<string> problems)
    {
        Publish.AddProblems(allowQueue: false, problems);
        Subscribe.AddProblems(allowQueue: true, problems);
    }
}
