using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class SharingValidatorTests
{
    private const string Cycle = "import forms a cycle";

    [Fact]
    public void Chain_of_services_is_no_cycle()
        => Assert.Empty(Problems(
            Account("A", [], [Service("B", "b.x", "a.x")]),
            Account("B", [Offer("b.*")], [Service("C", "c.x", "b.x")]),
            Account("C", [Offer("c.*")], [])));

    [Fact]
    public void Services_that_lead_back_are_a_cycle()
        => Assert.Equal([$"Error adding service import \"x\": {Cycle}"], Problems(
            Account("A", [Offer("x")], [Service("B", "x")]),
            Account("B", [Offer("x")], [Service("C", "x")]),
            Account("C", [Offer("x")], [Service("A", "x")])));

    [Fact]
    public void Services_that_lead_back_under_another_subject_are_none()
        => Assert.Empty(Problems(
            Account("A", [Offer("a.*")], [Service("B", "b.x", "a.x")]),
            Account("B", [Offer("b.*")], [Service("A", "a.y", "b.y")])));

    [Fact]
    public void Patterns_that_overlap_are_a_cycle()
        => Assert.Equal([$"Error adding service import \"a.>\": {Cycle}"], Problems(
            Account("A", [Offer("a.>")], [Service("B", "b.x", "a.x")]),
            Account("B", [Offer("b.>")], [Service("A", "a.>", "b.>")])));

    [Fact]
    public void Streams_that_lead_back_are_a_cycle()
        => Assert.Equal([$"Error adding stream import \"s\": {Cycle}"], Problems(
            Account("A", [Stream("s")], [Messages("B", "s")]),
            Account("B", [Stream("s")], [Messages("A", "s")])));

    [Fact]
    public void Streams_that_are_not_exported_again_are_none()
        => Assert.Empty(Problems(
            Account("A", [Stream("a")], [Messages("B", "b")]),
            Account("B", [Stream("b")], [Messages("A", "a")])));

    [Fact]
    public void Longest_path_is_bounded()
    {
        var accounts = Enumerable.Range(0, 1100)
            .Select(static i => Account($"A{i}", [Offer("x")], i == 0 ? [] : [Service($"A{i - 1}", "x")]))
            .ToArray();

        Assert.Contains("Error adding service import \"x\": search cycle depth exhausted", Problems(accounts));
    }

    [Fact]
    public void Same_account_may_export_a_subject_twice()
        => Assert.Empty(Problems(
            Account("A", [Stream("s") with { Accounts = ["B"] }, Stream("s") with { Accounts = ["C"] }], []),
            Account("B", [], [Messages("A", "s")]),
            Account("C", [], [Messages("A", "s")])));

    [Fact]
    public void Duplicate_service_names_the_first_one()
        => Assert.Equal(
            ["Error adding service import \"y\": duplicate service import subject \"z\", previously used in import for account \"A\", subject \"x\""],
            Problems(Account("A", [Offer("x"), Offer("y")], []), Account("B", [], [Service("A", "x", "z"), Service("A", "y", "z")])));

    [Theory]
    [InlineData("tok.B", true)]
    [InlineData("tok.C", false)]
    [InlineData("tok.*", false)]
    public void Account_in_the_subject_decides(string subject, bool isAllowed)
        => Assert.Equal(
            isAllowed ? [] : [$"Error adding stream import \"{subject}\": stream import not authorized"],
            Problems(Account("A", [Stream("tok.*") with { AccountTokenPosition = 2 }], []), Account("B", [], [Messages("A", subject)])));

    [Fact]
    public void Import_with_a_token_that_was_checked_is_allowed()
        => Assert.Empty(Problems(
            Account("A", [Stream("s") with { RequiresToken = true }], []),
            Account("B", [], [Messages("A", "s") with { IsAuthorized = true }])));

    [Fact]
    public void Import_without_the_token_is_not()
        => Assert.Single(Problems(Account("A", [Stream("s") with { RequiresToken = true }], []), Account("B", [], [Messages("A", "s")])));

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    public void Threshold_must_be_positive(int seconds)
        => Assert.Single(Problems(Account("A", [Offer("x") with { ResponseThreshold = TimeSpan.FromSeconds(seconds) }], [])));

    [Fact]
    public async Task Broker_does_not_start_with_imports_that_do_not_fit()
    {
        var options = new BrokerOptions { Listen = false, Accounts = [Account("B", [], [Messages("A", "s")])] };

        var refusal = await Assert.ThrowsAsync<BrokerException>(() => NatsBroker.StartAsync(options, TestContext.Current.CancellationToken));

        Assert.Equal((BrokerError.InvalidOptions, "\"A\" account not defined for stream import"), (refusal.Error, refusal.Message));
    }

    [Fact]
    public void Exports_are_equal_by_their_content()
    {
        Assert.Equal(Stream("s") with { Accounts = ["A"] }, Stream("s") with { Accounts = [.. new[] { "A" }] });
        Assert.NotEqual(Stream("s") with { Accounts = ["A"] }, Stream("s") with { Accounts = ["B"] });
    }

    private static IReadOnlyList<string> Problems(params AccountOptions[] accounts) => SharingValidator.Problems(accounts, hasSystemAccount: true);

    private static AccountOptions Account(string name, ExportOptions[] exports, ImportOptions[] imports) => new() { Name = name, Exports = exports, Imports = imports };

    private static ExportOptions Offer(string subject) => new() { Type = ExportType.Service, Subject = subject };

    private static ExportOptions Stream(string subject) => new() { Type = ExportType.Stream, Subject = subject };

    private static ImportOptions Service(string account, string subject, string? to = null) => new() { Type = ExportType.Service, Account = account, Subject = subject, To = to };

    private static ImportOptions Messages(string account, string subject) => new() { Type = ExportType.Stream, Account = account, Subject = subject };
}
