using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Attacks;

/// <summary>A server of each kind with accounts, restricted users and a monitoring port, shared by a table of attacks.</summary>
public sealed class AttackServers : IAsyncLifetime
{
    private const string Configuration = """
        http: "127.0.0.1:-1"
        max_payload: 100kb
        accounts {
          V {
            users: [
              {user: victim, password: p}
              {
                user: att, password: p
                permissions: {
                  publish: {allow: ["pub.>", "map.*", "_INBOX.mine.>"], deny: ["pub.secret", "pub.deep.>", "pub.*.hidden"]}
                  subscribe: {allow: ["sub.>", "_INBOX.mine.>", "q.one workers", "q.many *", "q.prefix v1.*"], deny: ["sub.secret", "sub.deep.*", "sub.both group"]}
                }
              }
              {user: resp, password: p, permissions: {publish: {allow: ["none"]}, subscribe: "ask.*", allow_responses: {max: 2, expires: "1m"}}}
              {user: mute, password: p, permissions: {publish: {deny: ">"}, subscribe: {deny: ">"}}}
            ]
            mappings: {"map.one": "pub.secret", "map.two": "pub.open", "pub.moved": "pub.deep.moved"}
            exports: [{service: "svc.open"}, {service: "svc.private", accounts: [P]}, {stream: "out.>"}, {stream: "priv.>", accounts: [P]}]
          }
          P { users: [{user: partner, password: p}] }
          O {
            users: [{user: other, password: p}, {user: narrow, password: p, permissions: {publish: "own.>", subscribe: ["_INBOX.narrow.>", "in.out.one"]}}]
            imports: [{service: {account: V, subject: "svc.open"}, to: "ask.open"}, {stream: {account: V, subject: "out.>"}, prefix: in}]
          }
        }

        """;

    private readonly Dictionary<ServerKind, ServerProcess> _servers = [];

    /// <summary>A server.</summary>
    public ServerProcess this[ServerKind kind] => _servers[kind];

    public async ValueTask InitializeAsync()
    {
        foreach (var kind in Enum.GetValues<ServerKind>()) _servers[kind] = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Configuration));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values) await server.DisposeAsync();
    }
}
