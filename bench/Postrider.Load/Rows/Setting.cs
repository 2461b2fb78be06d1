namespace Postrider.Load.Rows;

/// <summary>A configuration under which rows of the core table are measured again, the same for every server.</summary>
/// <param name="Name">Prefix of the rows' names and titles.</param>
/// <param name="Configuration">Text of the configuration file.</param>
/// <param name="SubscriberUser">The user for the connections of subscribers and requesters; null for connections without credentials.</param>
internal sealed record Setting(string Name, string Configuration, string? SubscriberUser)
{
    // The share of the core table's targets that must be reached with permissions and imports.
    private const double Share = 0.85;

    /// <summary>Allowed and denied subjects, with wildcards, for publishing and subscribing; one denied subject overlaps every subscription.</summary>
    public static Setting Permissions { get; } = new("permissions", """
        authorization {
          users: [
            {
              user: load, password: load
              permissions: {
                publish: { allow: ["load.>", "service.*", "_INBOX.>", "orders.*.new"], deny: ["load.secret.>", "load.*.hidden"] }
                subscribe: { allow: ["load.>", "service.*", "_INBOX.>", "orders.>"], deny: ["load.secret.>", "*.*.hidden"] }
              }
            }
          ]
        }
        no_auth_user: load
        """, null);

    /// <summary>Publishers and services are in one account; subscribers and requesters are in another account, which imports from it.</summary>
    public static Setting Accounts { get; } = new("accounts", """
        accounts {
          OWNER {
            users: [{ user: owner, password: owner }]
            exports: [{ stream: "load.>" }, { service: "service.>" }]
          }
          READER {
            users: [{ user: reader, password: reader }]
            imports: [
              { stream: { account: OWNER, subject: "load.>" } }
              { service: { account: OWNER, subject: "service.>" } }
            ]
          }
        }
        no_auth_user: owner
        """, "reader");

    public StreamRow Of(StreamRow row) => row with { Name = $"{Name}-{row.Name}", Title = $"{Name}, {row.Title}", Targets = Of(row.Targets) };

    public RequestRow Of(RequestRow row) => row with { Name = $"{Name}-{row.Name}", Title = $"{Name}, {row.Title}", Targets = Of(row.Targets) };

    private static Targets? Of(Targets? targets)
        => targets is { } of ? new(of.Throughput * Share, of.Cpu * Share, of.P50 / Share, of.P99 / Share) : null;
}
