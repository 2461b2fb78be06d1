using System.Globalization;
using System.Net;
using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The settings of a user: in the user's own claims, or in the scope of a signing key for all users it signs.</summary>
public sealed record UserSettings
{
    private const string TimeFormat = "HH:mm:ss";
    private const string MachineTimeZone = "Local";

    private static readonly string[] KnownConnectionTypes = ["STANDARD", "WEBSOCKET", "LEAFNODE", "LEAFNODE_WS", "MQTT", "MQTT_WS", "IN_PROCESS"];

    /// <summary>The subjects that the user may publish and subscribe to; if empty, the default permissions of the account apply.</summary>
    public ClaimPermissions Permissions { get; init; } = new();

    /// <summary>The networks the user may connect from, in CIDR form such as <c>192.0.2.0/24</c>; empty for any.</summary>
    public IReadOnlyList<string> Sources { get; init; } = [];

    /// <summary>When the user may be connected; empty for always.</summary>
    public IReadOnlyList<DailyTime> Times { get; init; } = [];

    /// <summary>The time zone of <see cref="Times"/>, such as <c>Europe/Berlin</c>; null for the server's.</summary>
    public string? TimeZone { get; init; }

    /// <summary>The number of subscriptions of a connection; null for no limit. Below 1, connections are rejected.</summary>
    public long? MaxSubscriptions { get; init; }

    /// <summary>The number of bytes of data; null for no limit. Servers do not enforce it.</summary>
    public long? MaxData { get; init; }

    /// <summary>The size of a message in bytes; null for the server's limit. Below 0, not even empty messages are allowed.</summary>
    public long? MaxPayload { get; init; }

    /// <summary>Whether the token alone is sufficient to connect, without a signature of the user's key. Default false.</summary>
    public bool IsBearer { get; init; }

    /// <summary>Whether the user must connect through a trusted proxy. Default false.</summary>
    public bool RequiresProxy { get; init; }

    /// <summary>The types of connections the user may make, such as <c>STANDARD</c> or <c>WEBSOCKET</c>; empty for all.</summary>
    public IReadOnlyList<string> AllowedConnectionTypes { get; init; } = [];

    /// <summary>Null for members that are all missing: the settings are those of the scoped key that signed.</summary>
    internal static UserSettings? ReadOrNull(ClaimsReader reader)
    {
        var settings = Read(reader);
        var isEmpty = settings is
        {
            Permissions.IsEmpty: true, Sources.Count: 0, Times.Count: 0, TimeZone: null or "", MaxSubscriptions: 0, MaxData: 0, MaxPayload: 0,
            IsBearer: false, RequiresProxy: false, AllowedConnectionTypes.Count: 0,
        };
        return isEmpty ? null : settings;
    }

    internal static UserSettings Read(ClaimsReader reader) => new()
    {
        Permissions = ClaimPermissions.Read(reader),
        Sources = reader.TextsOrList("src"),
        Times = reader.Objects("times", static time => new DailyTime(ReadTime(time, "start"), ReadTime(time, "end"))),
        TimeZone = reader.Text("times_location"),
        MaxSubscriptions = reader.Limit("subs"),
        MaxData = reader.Limit("data"),
        MaxPayload = reader.Limit("payload"),
        IsBearer = reader.Flag("bearer_token"),
        RequiresProxy = reader.Flag("proxy_required"),
        AllowedConnectionTypes = reader.Texts("allowed_connection_types"),
    };

    /// <summary>Reads the template of a scope, in which a missing limit means no limit.</summary>
    internal static UserSettings ReadTemplate(ClaimsReader reader)
    {
        var settings = Read(reader);
        return settings with
        {
            MaxSubscriptions = reader.Has("subs") ? settings.MaxSubscriptions : null,
            MaxData = reader.Has("data") ? settings.MaxData : null,
            MaxPayload = reader.Has("payload") ? settings.MaxPayload : null,
        };
    }

    /// <summary>Writes the members of settings; null writes the ones for a user of a scoped key.</summary>
    internal static void Write(Utf8JsonWriter writer, UserSettings? settings)
    {
        if (settings is null)
        {
            new ClaimPermissions().Write(writer);
            return;
        }
        settings.Permissions.Write(writer);
        writer.Texts("src", settings.Sources);
        writer.Objects("times", settings.Times, static (writer, time) =>
        {
            writer.WriteString("start", time.Start.ToString(TimeFormat, CultureInfo.InvariantCulture));
            writer.WriteString("end", time.End.ToString(TimeFormat, CultureInfo.InvariantCulture));
        });
        writer.Text("times_location", settings.TimeZone);
        writer.Limit("subs", settings.MaxSubscriptions);
        writer.Limit("data", settings.MaxData);
        writer.Limit("payload", settings.MaxPayload);
        writer.Flag("bearer_token", settings.IsBearer);
        writer.Flag("proxy_required", settings.RequiresProxy);
        writer.Texts("allowed_connection_types", settings.AllowedConnectionTypes);
    }

    internal void AddProblems(List<string> problems)
    {
        Permissions.AddProblems(problems);
        foreach (var source in Sources)
            if (!IsNetwork(source)) problems.Add($"The source '{source}' is not a network in CIDR form such as 192.0.2.0/24.");
        if (TimeZone is { Length: > 0 } zone && !IsTimeZone(zone)) problems.Add($"The time zone '{zone}' is unknown.");
        // One that only other servers know is no problem beside one that is known here.
        if (AllowedConnectionTypes.Count > 0 && !AllowedConnectionTypes.Any(static type => KnownConnectionTypes.Contains(type, StringComparer.OrdinalIgnoreCase)))
            problems.Add($"The connection type '{AllowedConnectionTypes[0]}' is unknown. Known: {string.Join(", ", KnownConnectionTypes)}.");
    }

    // Go accepts an address with bits after the prefix; IPNetwork does not.
    private static bool IsNetwork(string text)
    {
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        return slash > 0 && IPAddress.TryParse(text.AsSpan(0, slash), out var address)
            && int.TryParse(text.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var bits)
            && bits <= address.GetAddressBytes().Length * 8;
    }

    // Go's name for the time zone of the machine is a zone, too.
    private static bool IsTimeZone(string name) => name == MachineTimeZone || TimeZoneInfo.TryFindSystemTimeZoneById(name, out _);

    private static TimeOnly ReadTime(ClaimsReader reader, string name)
        => TimeOnly.TryParseExact(reader.Text(name), TimeFormat, CultureInfo.InvariantCulture, DateTimeStyles.None, out var time) ? time : throw reader.Wrong(name, "a time of the form 15:04:05");
}
