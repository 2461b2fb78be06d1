using Postrider.Broker.Accounts;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>Which interest a server of a cluster shares with the others. Immutable.</summary>
/// <remarks>It decides about subscriptions; messages are looked at only where a pattern covers a denied subject. Source: nats-server, canImport and canExport.</remarks>
internal sealed class RoutePermissions
{
    /// <summary>Allows everything.</summary>
    public static readonly RoutePermissions Everything = new(null, null);

    private readonly SubjectPermissionSet? _import;
    private readonly SubjectPermissionSet? _export;

    private RoutePermissions(SubjectPermissionSet? import, SubjectPermissionSet? export) => (_import, _export) = (import, export);

    /// <summary>Reads the broker's own permissions.</summary>
    public static RoutePermissions Of(RoutePermissionOptions? options) => Create(options?.Import, options?.Export);

    /// <summary>Reads what another server says of its permissions.</summary>
    public static RoutePermissions Of(ServerInfo info) => Create(PermissionOf(info.Import), PermissionOf(info.Export));

    /// <summary>Whether the server tells the others of interest in a subject or pattern.</summary>
    public bool AllowsImport(ReadOnlySpan<byte> subject) => _import is null || _import.AllowsPublish(subject) || (IsMqtt(subject) && !_import.DeniesDelivery(subject, []));

    /// <summary>Whether the others may be interested in a subject or pattern.</summary>
    public bool AllowsExport(ReadOnlySpan<byte> subject) => _export is null || _export.AllowsSubscribe(subject, []) || (IsMqtt(subject) && !_export.DeniesDelivery(subject, []));

    /// <summary>Whether a message may be sent to the others: a pattern that they may be interested in can cover denied subjects.</summary>
    public bool AllowsMessage(ReadOnlySpan<byte> subject) => _export is not { HasDenied: true } || !_export.DeniesDelivery(subject, []);

    private static SubjectPermission? PermissionOf(PermittedSubjects? subjects) => subjects is null ? null : new SubjectPermission { Allow = Valid(subjects.Allow), Deny = Valid(subjects.Deny) };

    private static RoutePermissions Create(SubjectPermission? import, SubjectPermission? export)
    {
        // A list without subjects allows none of them, in both directions.
        var (imported, exported) = (SubjectPermissionSet.ForPublish(import, nothingUnlessAllowed: false), SubjectPermissionSet.ForPublish(export, nothingUnlessAllowed: false));
        return imported is null && exported is null ? Everything : new RoutePermissions(imported, exported);
    }

    // Sessions of MQTT clients are looked after over routes, whatever is allowed.
    private static bool IsMqtt(ReadOnlySpan<byte> subject) => subject.StartsWith("$MQTT."u8);

    // Of another server: an invalid entry covers nothing.
    private static string[]? Valid(string[]? entries) => entries is null ? null : [.. entries.Where(static entry => !string.IsNullOrWhiteSpace(entry))];
}
