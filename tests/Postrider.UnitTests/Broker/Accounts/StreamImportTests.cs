using System.Text;
using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class StreamImportTests
{
    // The exporting account's subject, the importing account's, what is subscribed to, what that is in the exporting account.
    public static TheoryData<string, string?, string, string?> Subscriptions => new()
    {
        { "a.>", null, "a.>", "a.>" },
        { "a.>", null, "a.b.c", "a.b.c" },
        { "a.>", null, "a.*", "a.*" },
        { "a.>", null, ">", "a.>" },
        { "a.>", null, "*.b", "a.b" },
        { "a.>", null, "*.b.>", "a.b.>" },
        { "a.>", null, "b.>", null },
        { "a.>", null, "a", null },
        { "a.*", null, "a.>", "a.*" },
        { "a.*", null, "*.*", "a.*" },
        { "a.*", null, "*.*.*", null },
        { "a.*", null, "a.b", "a.b" },
        { "a", "p.a", "p.a", "a" },
        { "a", "p.a", "p.*", "a" },
        { "a", "p.a", ">", "a" },
        { "a", "p.a", "a", null },
        { "a.*", "p.a.*", "p.a.b", "a.b" },
        { "a.*", "p.a.*", "p.>", "a.*" },
        { "a.*", "p.a.*", "*.*.b", "a.b" },
        { "a.*.*", "q.$2.$1", "q.x.y", "a.y.x" },
        { "a.*.*", "q.$2.$1", "q.*.y", "a.y.*" },
        { "a.*.*", "q.{{wildcard(2)}}.{{wildcard(1)}}", "q.x.*", "a.*.x" },
        { "a.*.*", "q.$2.$1", "q.>", "a.*.*" },
        { "a.*.>", "q.$1.>", "q.x.y.z", "a.x.y.z" },
        { "a.*.>", "q.$1.>", "q.x.>", "a.x.>" },
    };

    [Theory]
    [MemberData(nameof(Subscriptions))]
    public void Subscription_is_found_in_the_exporting_account(string from, string? to, string subject, string? expected)
    {
        var options = new ImportOptions { Type = ExportType.Stream, Account = "E", Subject = from, To = to };
        var import = new StreamImport(new Account("E"), options, ImportPath.Create(options, out _)!);

        var found = import.FindSubject(Encoding.UTF8.GetBytes(subject));

        Assert.Equal(expected, found is null ? null : Encoding.UTF8.GetString(found));
    }

    [Fact]
    public void Import_that_does_not_change_stays_the_same_object()
    {
        var registry = new AccountRegistry(new TestClock());
        var stream = new ImportOptions { Type = ExportType.Stream, Account = "E", Subject = "s" };
        var service = new ImportOptions { Type = ExportType.Service, Account = "E", Subject = "q" };
        var importer = registry.Put(new AccountOptions { Name = "I", Imports = [stream, service] });
        Assert.Equal((0, 0), (importer.Imports!.Streams.Length, importer.Imports.Services.Length));

        registry.Put(Exporter());
        var before = importer.Imports;
        registry.Put(Exporter() with { MaxConnections = 5 });

        Assert.NotSame(before, importer.Imports);
        Assert.Same(before.Streams.Single(), importer.Imports.Streams.Single());
        Assert.Same(before.Services.Single(), importer.Imports.Services.Single());
        Assert.Equal(1, importer.Subscriptions.Count);
        registry.Remove("E");
        Assert.Equal((0, 0, 0), (importer.Imports.Streams.Length, importer.Imports.Services.Length, importer.Subscriptions.Count));

        static AccountOptions Exporter() => new()
        {
            Name = "E",
            Exports = [new() { Type = ExportType.Stream, Subject = "s" }, new() { Type = ExportType.Service, Subject = "q", Accounts = ["I"] }],
        };
    }

    [Fact]
    public void Import_that_is_not_allowed_is_not_in_force()
    {
        var registry = new AccountRegistry(new TestClock());
        registry.Put(new AccountOptions { Name = "E", Exports = [new() { Type = ExportType.Service, Subject = "q", Accounts = ["O"] }] });

        var importer = registry.Put(new AccountOptions { Name = "I", Imports = [new() { Type = ExportType.Service, Account = "E", Subject = "q" }] });

        Assert.Empty(importer.Imports!.Services);
        Assert.Equal(0, importer.Subscriptions.Count);
    }
}
