namespace Postrider.Load.Hostile;

/// <summary>Users and permissions of a run: what the hostile user may do ends at its own subjects and streams.</summary>
/// <remarks>Both users are of one account. A stream's or a consumer's configuration and the reply subject of a message are
/// not checked against permissions by either server, so no behaviour names the victim's subjects there.</remarks>
internal static class HostileConfiguration
{
    public const string Victim = "victim";
    public const string VictimStream = "V";
    public const string Hostile = "hostile";

    /// <summary>The hostile user's streams are H0 up to this number; stream Hn may store <c>h.n.&gt;</c>.</summary>
    public const int HostileStreams = 8;

    public static string Text(int monitoringPort)
    {
        string[] perStream =
        [
            "$JS.API.STREAM.*.{0}", "$JS.API.STREAM.MSG.*.{0}", "$JS.API.CONSUMER.*.{0}", "$JS.API.CONSUMER.*.{0}.>",
            "$JS.API.CONSUMER.DURABLE.CREATE.{0}.*", "$JS.API.CONSUMER.MSG.NEXT.{0}.*", "$JS.API.DIRECT.GET.{0}", "$JS.API.DIRECT.GET.{0}.>",
            "$JS.ACK.{0}.>", "$JS.SNAPSHOT.RESTORE.{0}.>", "$JS.SNAPSHOT.ACK.{0}.>", "$JS.FC.{0}.>",
        ];
        var allowed = Enumerable.Range(0, HostileStreams).SelectMany(n => perStream.Select(form => string.Format(form, $"H{n}")))
            .Concat(["h.>", "_INBOX_H.>", "$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST"]);
        return $$"""
            http: "127.0.0.1:{{monitoringPort}}"
            no_auth_user: probe
            jetstream { max_mem: 4GB, max_file: 20GB }
            authorization {
              users: [
                { user: probe, password: probe, permissions: { publish: { deny: ">" }, subscribe: { deny: ">" } } }
                { user: {{Victim}}, password: {{Victim}}, permissions: {
                    publish: { allow: ["v.>", "_INBOX_V.>", "$JS.>"] }, subscribe: { allow: ["v.>", "_INBOX_V.>"] } } }
                { user: {{Hostile}}, password: {{Hostile}}, permissions: {
                    publish: { allow: [{{string.Join(", ", allowed.Select(subject => $"\"{subject}\""))}}] }
                    subscribe: { allow: ["h.>", "_INBOX_H.>"] } } }
              ]
            }
            """;
    }
}
