using Postrider.Broker.Accounts;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routes;

/// <summary>The interest that a server of a cluster shares with the others. Immutable.</summary>
/// <remarks>Checked for subscriptions; messages are only checked where a pattern covers a denied subject. Source: nats-server, permissions of clusters.</remarks>
internal sealed class RoutePermissions
{
    /// <summary>Allows everything.</summary>
    public static readonly RoutePermissions Everything = new(null, null);

    private readonly SubjectPermissionSet? _import;
    private readonly SubjectPermissionSet? _export;

    private RoutePermissions(SubjectPermissionSet? import, SubjectPermissionSet? export) => (_import, _export) = (import, export);

    /// <summary>Reads the broker's own permissions.</summary>
    public static RoutePermissions Of(RoutePermissionOptions? options) => Create(options?.Import, options?.Export);

    /// <summary>Reads the permissions that another server announced.</summary>
    public static RoutePermissions Of(ServerInfo info) => Create(PermissionOf(info.Import), PermissionOf(info.Export));

    /// <summary>Whether the server announces interest in a subject or pattern.</summary>
    public bool AllowsImport(ReadOnlySpan<byte> subject) => _import is null || _import.AllowsPublish(subject) || (IsMqtt(subject) && !_import.DeniesDelivery(subject, []));

    /// <summary>Whether the server accepts interest in a subject or pattern.</summary>
    public bool AllowsExport(ReadOnlySpan<byte> subject) => _export is null || _export.AllowsSubscribe(subject, []) || (IsMqtt(subject) && !_export.DeniesDelivery(subject, []));

    /// <summary>Whether a message may be sent to the others: a pattern of their interest can cover denied subjects.</summary>
    public bool AllowsMessage(ReadOnlySpan<byte> subject) => _export is not { HasDenied: true } || !_export.DeniesDelivery(subject, []);

    private static SubjectPermission? PermissionOf(PermittedSubjects? subjects) => subjects is null ? null : new SubjectPermission { Allow = Valid(subjects.Allow), Deny = Valid(subjects.Deny) };

    private static RoutePermissions Create(SubjectPermission? import, SubjectPermission? export)
    {
        // A list without subjects allows nothing, in both directions.
        var (imported, exported) = (SubjectPermissionSet.ForPublish(import, nothingUnlessAllowed: false), SubjectPermissionSet.ForPublish(export, nothingUnlessAllowed: false));
        return imported is null && exported is null ? Everything : new RoutePermissions(imported, exported);
    }

    // Routes serve the sessions of MQTT clients, whatever is allowed.
    private static bool IsMqtt(ReadOnlySpan<byte> subject) => subject.StartsWith("$MQTT."u8);

    // For another server's entries: an invalid one covers nothing.
    private static string[]? Valid(string[]? entries) => entries is null ? null : [.. entries.Where(static entry => !string.IsNullOrWhiteSpace(entry))];
}
