using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;
using Postrider.Transports;

namespace Postrider.OutboxTests;

/// <summary>What the outbox refuses, with what was wrong.</summary>
public sealed class BadInputTests(PostgresServer server) : DatabaseCases(OutboxDatabase.Sqlite, server)
{
    [Theory]
    [InlineData("")]
    [InlineData("Orders")]
    [InlineData("1orders")]
    [InlineData("orders; drop table orders")]
    [InlineData("\"orders\"")]
    [InlineData("a.b")]
    [InlineData("ordérs")]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
    public void Name_of_a_table_that_is_no_identifier(string name)
        => Assert.ThrowsAny<Exception>(() => new OutboxTables { Outbox = name });

    [Theory]
    [InlineData(nameof(OutboxOptions.BatchSize), "BatchSize is 0")]
    [InlineData(nameof(OutboxOptions.Relays), "Relays is 65")]
    [InlineData(nameof(OutboxOptions.PollInterval), "PollInterval is 00:00:00")]
    [InlineData(nameof(OutboxOptions.MaxBodyBytes), "MaxBodyBytes is -1")]
    [InlineData(nameof(OutboxOptions.RelayLease), "RelayLease is 00:00:00.9000000")]
    [InlineData(nameof(OutboxOptions.Retry), "RetryPolicy.MaxAttempts is 0")]
    [InlineData(nameof(OutboxOptions.KeepHandledFor), "KeepHandledFor is 00:00:00")]
    public async Task Option_out_of_range_ends_the_start(string option, string words)
    {
        var refused = await Assert.ThrowsAsync<PostriderException>(() => TestApp.StartAsync(Database, configure: options =>
        {
            switch (option)
            {
                case nameof(OutboxOptions.BatchSize): options.BatchSize = 0; break;
                case nameof(OutboxOptions.Relays): options.Relays = 65; break;
                case nameof(OutboxOptions.PollInterval): options.PollInterval = default; break;
                case nameof(OutboxOptions.MaxBodyBytes): options.MaxBodyBytes = -1; break;
                case nameof(OutboxOptions.RelayLease): options.RelayLease = TimeSpan.FromSeconds(0.9); break;
                case nameof(OutboxOptions.Retry): options.Retry = options.Retry with { MaxAttempts = 0 }; break;
                default: options.KeepHandledFor = default; break;
            }
        }));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Schema_with_SQLite()
        => Assert.Contains("SQLite has no schemas", Assert.Throws<PostriderException>(() => OutboxSchema.Script(OutboxDatabase.Sqlite, new() { Schema = "shop" })).Message, StringComparison.Ordinal);

    [Fact]
    public async Task Message_without_a_transaction_or_a_scope()
    {
        await using var app = await TestApp.StartAsync(Database);
        await using var scope = app.Services.CreateAsyncScope();

        var noTransaction = await Assert.ThrowsAsync<PostriderException>(async () => await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced(1), Ct));
        var noScope = await Assert.ThrowsAsync<PostriderException>(async () => await app.Services.GetRequiredKeyedService<ITransport>("outbox").OpenSender("placed").SendAsync(default, default, Ct));

        Assert.Contains("the scope has no transaction: call OutboxSession.BeginAsync", noTransaction.Message, StringComparison.Ordinal);
        Assert.Contains("without a scope", noScope.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("id", 201, PostriderError.TooLarge, "Message id")]
    [InlineData("key", 501, PostriderError.TooLarge, "Key")]
    [InlineData("headers", 70_000, PostriderError.TooLarge, "bytes of headers")]
    [InlineData("body", 101, PostriderError.TooLarge, "exceeds the transport's limit of 100 bytes")]
    [InlineData("large body", 1_048_577, PostriderError.TooLarge, "exceeds the limit of 1048576 bytes: OutboxOptions.MaxBodyBytes.")]
    [InlineData("nul", 1, PostriderError.Refused, "has a NUL")]
    [InlineData("half", 1, PostriderError.Refused, "half of a surrogate pair")]
    public async Task Message_that_the_table_does_not_take(string what, int length, PostriderError error, string words)
    {
        await using var app = await TestApp.StartAsync(Database);
        if (what == "body")
            app.Wire.MaxBodyBytes = 100;
        var text = new string('x', length);
        var properties = what switch
        {
            "id" => new MessageProperties { MessageId = text },
            "key" => new MessageProperties { Key = text },
            "headers" => new MessageProperties { Headers = new() { { "Long", text } } },
            "nul" => new MessageProperties { Key = "\0" },
            "half" => new MessageProperties { MessageId = "\ud800" },
            _ => default,
        };

        PostriderException? refused = null;
        await app.InTransactionAsync(async (services, _) => refused = await Assert.ThrowsAsync<PostriderException>(async () =>
            await ((ScopedMessageSender)services.GetRequiredKeyedService<ITransport>("outbox").OpenSender("placed")).SendAsync(properties, what.EndsWith("body", StringComparison.Ordinal) ? new byte[length] : default, services, Ct)));

        Assert.Equal(error, refused!.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, await Database.CountAsync("postrider_outbox"));
    }

    [Theory]
    [InlineData("no json")]
    [InlineData("{}")]
    [InlineData("[1,2]")]
    [InlineData("[\"Odd\"]")]
    [InlineData("[\"Bad:Name\",\"x\"]")]
    [InlineData("[\"Name\",\"line\\r\\nbreak\"]")]
    public async Task Row_whose_headers_were_not_written_by_the_outbox(string headers)
    {
        await using var app = await TestApp.StartAsync(Database);
        await app.PublishAsync(new OrderPlaced(1, "k"), new OrderPlaced(2, "k"));
        await Database.ExecuteAsync($"update postrider_outbox set headers = '{headers}' where seq = (select min(seq) from postrider_outbox)");

        await app.DrainAsync();

        Assert.Equal([2], app.Placed.Select(p => p.Number));
        Assert.Equal(1, await Database.CountAsync("postrider_outbox where state = 2"));
    }

    [Fact]
    public async Task Binding_on_an_outbox_and_target_with_options_of_its_own()
    {
        await using var app = await TestApp.StartAsync(Database);
        var outbox = app.Services.GetRequiredKeyedService<ITransport>("outbox");

        var bound = await Assert.ThrowsAsync<PostriderException>(async () => await outbox.ListenAsync(new TransportBinding("x"), (_, _) => default, Ct));
        var target = Assert.Throws<PostriderException>(() => outbox.OpenSender(new OddTarget("x")));

        Assert.Contains("bind it on the transport 'wire'", bound.Message, StringComparison.Ordinal);
        Assert.Contains("use a SendTarget", target.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Second_outbox_second_database_and_name_that_is_taken()
    {
        var services = new ServiceCollection();
        var outbox = services.AddPostriderOutbox().UseDataSource(_ => Database.Source, Database.Kind);
        outbox.AddTransport("outbox", over: "wire");

        Assert.Throws<PostriderException>(() => services.AddPostriderOutbox());
        Assert.Throws<PostriderException>(() => outbox.UseDataSource(_ => Database.Source, Database.Kind));
        Assert.Throws<PostriderException>(() => outbox.AddTransport("outbox", over: "wire"));
    }

    private sealed record OddTarget(string Destination) : SendTarget(Destination);
}
