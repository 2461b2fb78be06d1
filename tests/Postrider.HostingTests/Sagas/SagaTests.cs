using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.MessagePack;
using Postrider.Middleware;
using Postrider.Sagas;

namespace Postrider.HostingTests.Sagas;

public sealed class SagaTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Message_starts_a_saga_and_further_ones_find_it_by_each_kind_of_correlation()
    {
        await using var app = await SagaApp.StartAsync();

        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        await app.DeliverAsync("orders.check-out", new CheckOut("8", 1));
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 5));
        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 10));
        await app.DeliverAsync("orders.address", new AddressChanged(new Customer(7), "Bern"));
        await app.DeliverAsync("orders.withdraw", new Withdraw("8"));

        var saga = Assert.IsType<OrderSaga>(await app.FindAsync("7"));
        Assert.Equal((25m, 10m, "Bern"), (saga.Due, saga.Paid, saga.City));
        Assert.Equal(0, Assert.IsType<OrderSaga>(await app.FindAsync("8")).Due);
        Assert.Contains("check out 7 1 True", app.Log.Lines);
        Assert.Contains("check out 7 2 False", app.Log.Lines);
    }

    [Fact]
    public async Task What_a_saga_sends_goes_out_with_ids_of_its_own_and_in_the_conversation()
    {
        await using var app = await SagaApp.StartAsync();

        await app.Harness.DeliverAsync("orders", "orders.check-out", new CheckOut("7", 20), SagaApp.Json, new() { MessageId = "m-1", CorrelationId = "c-1" });
        await app.Harness.IdleAsync(Ct);

        var sent = Assert.Single(app.Harness.Consumed<AskForPayment>());
        Assert.Equal(("c-1", "m-1"), (sent.Headers[HeaderNames.CorrelationId], sent.Headers[HeaderNames.CausationId]));
        var ids = app.Harness.Sent.Skip(1).Select(message => message.Headers[HeaderNames.MessageId]).ToList();
        Assert.Equal(3, ids.Distinct().Count());
        Assert.All(ids, id => Assert.Equal(32, id!.Length));
        Assert.StartsWith("1/", app.Harness.Sent.Single(message => message.Destination == "orders.remind").Headers[HeaderNames.SagaTimeout], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Timeout_comes_when_it_is_due_and_may_be_set_again()
    {
        await using var app = await SagaApp.StartAsync();
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));

        await app.AdvanceAsync(TimeSpan.FromMinutes(59));
        Assert.Equal(0, (await app.FindAsync("7"))!.Reminders);
        await app.AdvanceAsync(TimeSpan.FromMinutes(2));
        Assert.Equal(1, (await app.FindAsync("7"))!.Reminders);
        await app.AdvanceAsync(TimeSpan.FromHours(5));

        Assert.Equal(6, (await app.FindAsync("7"))!.Reminders);
    }

    [Fact]
    public async Task Timeout_that_was_set_again_or_cancelled_is_ignored()
    {
        await using var app = await SagaApp.StartAsync();
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        await app.AdvanceAsync(TimeSpan.FromMinutes(30));

        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        await app.AdvanceAsync(TimeSpan.FromMinutes(45));
        Assert.Equal(0, (await app.FindAsync("7"))!.Reminders);
        await app.AdvanceAsync(TimeSpan.FromMinutes(15));
        Assert.Equal(1, (await app.FindAsync("7"))!.Reminders);
        await app.DeliverAsync("orders.withdraw", new Withdraw("7"));
        await app.AdvanceAsync(TimeSpan.FromHours(12));

        Assert.Equal(1, (await app.FindAsync("7"))!.Reminders);
        Assert.Empty(app.Harness.DeadLetters);
    }

    [Fact]
    public async Task Timeout_that_no_saga_has_set_is_ignored()
    {
        await using var app = await SagaApp.StartAsync();
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));

        await app.DeliverAsync("orders.remind", new Remind("7"));
        await app.DeliverAsync("orders.remind", new Remind("none"));

        Assert.DoesNotContain("remind", app.Log.Lines);
        Assert.Empty(app.Harness.DeadLetters);
    }

    [Fact]
    public async Task Saga_that_has_ended_ignores_messages_and_timeouts_until_its_time_is_over()
    {
        await using var app = await SagaApp.StartAsync(options => options.KeepFor = TimeSpan.FromDays(2));
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 20));
        Assert.Null(await app.FindAsync("7"));
        Assert.True(await app.Harness.Sagas.IsCompletedAsync<OrderSaga>("7", Ct));
        Assert.Contains("told 7", app.Log.Lines);

        await app.DeliverAsync("orders.check-out", new CheckOut("7", 1));
        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 1));
        await app.AdvanceAsync(TimeSpan.FromHours(47));
        Assert.Null(await app.FindAsync("7"));
        Assert.DoesNotContain("remind", app.Log.Lines);
        await app.AdvanceAsync(TimeSpan.FromHours(2));
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 3));

        Assert.Equal(3, (await app.FindAsync("7"))!.Due);
        Assert.Empty(app.Harness.DeadLetters);
    }

    [Fact]
    public async Task Messages_that_a_process_with_a_wrong_clock_has_left_do_not_hold_up_the_saga()
    {
        await using var app = await SagaApp.StartAsync();
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        var store = app.Services.GetRequiredService<ISagaStore>();
        var stored = Assert.IsType<StoredSaga>(await store.LoadAsync("OrderSaga", "7", Ct));
        var text = System.Text.RegularExpressions.Regex.Replace(System.Text.Encoding.UTF8.GetString(stored.Data.Span), "\"storedAt\":\"[^\"]*\"", "\"storedAt\":\"2100-01-01T00:00:00+00:00\"")
            .Replace("\"pending\":[]", $$"""
                "pending":[{"type":"{{typeof(AskForPayment).FullName}}","headers":["{{HeaderNames.MessageId}}","left"],"body":"e30="}]
                """, StringComparison.Ordinal);
        Assert.NotEqual(0, await store.SaveAsync("OrderSaga", "7", stored with { Data = System.Text.Encoding.UTF8.GetBytes(text) }, Ct));

        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 10));

        Assert.Equal(10, (await app.FindAsync("7"))!.Paid);
        Assert.Contains(app.Harness.Sent, static message => message.Headers[HeaderNames.MessageId] == "left");
    }

    [Fact]
    public async Task Message_that_comes_before_its_saga_is_retried_by_default_and_then_a_dead_letter()
    {
        await using var app = await SagaApp.StartAsync();

        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 10));
        await app.DeliverAsync("orders.payment", new PaymentArrived("8", 10));
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        await app.AdvanceAsync(TimeSpan.FromMinutes(10));

        Assert.Equal(10, (await app.FindAsync("7"))!.Paid);
        var dead = Assert.Single(app.Harness.DeadLetters);
        Assert.Equal((new PaymentArrived("8", 10), DeadLetterReason.Exhausted), (dead.Message, dead.Reason));
        Assert.Equal(PostriderError.SagaNotFound, Assert.IsType<PostriderException>(dead.Failure).Error);
        Assert.Contains("There is no saga 'OrderSaga' with id '8'", dead.Failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(MissingSaga.DeadLetter, 1)]
    [InlineData(MissingSaga.Ignore, 0)]
    public async Task Message_without_a_saga_is_put_away_at_once_or_ignored_where_the_saga_says_so(MissingSaga missing, int deadLetters)
    {
        await using var app = await SagaApp.StartAsync(options => options.For<OrderSaga>().Missing = missing);

        await app.DeliverAsync("orders.payment", new PaymentArrived("8", 10));

        Assert.Equal(deadLetters, app.Harness.DeadLetters.Count);
        Assert.All(app.Harness.DeadLetters, letter => Assert.Equal(DeadLetterReason.SagaNotFound, letter.Reason));
        Assert.Single(app.Harness.Consumed<PaymentArrived>());
    }

    [Fact]
    public async Task Message_that_comes_twice_is_handled_once()
    {
        await using var app = await SagaApp.StartAsync();
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 100), "start");

        for (var i = 0; i < 3; i++)
        {
            await app.DeliverAsync("orders.payment", new PaymentArrived("7", 10), "first");
            await app.DeliverAsync("orders.payment", new PaymentArrived("7", 5), "second");
            await app.DeliverAsync("orders.check-out", new CheckOut("7", 100), "start");
        }

        var saga = (await app.FindAsync("7"))!;
        Assert.Equal((100m, 15m), (saga.Due, saga.Paid));
        Assert.Single(app.Harness.Consumed<AskForPayment>());
    }

    [Fact]
    public async Task Method_that_throws_leaves_the_state_and_sends_nothing()
    {
        await using var app = await SagaApp.StartAsync();
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        app.Log.OnLine = static line => _ = line == "paid 20" ? throw new InvalidOperationException("no paper") : 0;

        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 20));
        Assert.Equal(0, (await app.FindAsync("7"))!.Paid);
        Assert.DoesNotContain("told 7", app.Log.Lines);
        app.Log.OnLine = null;
        await app.AdvanceAsync(TimeSpan.FromMinutes(1));

        Assert.True(await app.Harness.Sagas.IsCompletedAsync<OrderSaga>("7", Ct));
        Assert.Single(app.Log.Lines, "told 7");
    }

    [Fact]
    public async Task Race_of_50_messages_on_one_id_loses_none_and_counts_no_attempt()
    {
        await using var app = await SagaApp.StartAsync(static options => options.MaxBytes = 64 * 1024);
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 1000));
        app.Log.OnLine = static _ => Thread.Yield();

        await Task.WhenAll(Enumerable.Range(0, 50).Select(i => Task.Run(
            () => app.Harness.DeliverAsync("orders", "orders.payment", new PaymentArrived("7", 1), SagaApp.Json, new() { MessageId = $"p-{i}" }).AsTask(), Ct)));
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(50, (await app.FindAsync("7"))!.Paid);
        Assert.All(app.Harness.Consumed<PaymentArrived>(), consumed => Assert.Equal((1, null), (consumed.Attempt, consumed.Failure)));
        TestContext.Current.TestOutputHelper?.WriteLine($"{app.Log.Lines.Count(line => line == "paid 1") - 50} repetitions");
    }

    [Fact]
    public async Task State_is_kept_in_any_format()
    {
        await using var app = await SagaApp.StartAsync(states: new MessagePackSerializerProvider(SagaStatesAsMessagePack.Default));

        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));
        await app.DeliverAsync("orders.payment", new PaymentArrived("7", 5));

        Assert.Equal((20m, 5m), ((await app.FindAsync("7"))!.Due, (await app.FindAsync("7"))!.Paid));
    }

    [Fact]
    public async Task Settings_read_the_id_and_name_the_saga()
    {
        await using var app = await SagaApp.StartAsync(options =>
        {
            options.For<OrderSaga>().Name = "order";
            options.For<OrderSaga>().Correlate<CheckOut>(static message => $"o-{message.Order}");
        });

        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));

        Assert.NotNull(await app.FindAsync("o-7"));
        Assert.Null(await app.FindAsync("7"));
        var stored = await app.Services.GetRequiredService<ISagaStore>().LoadAsync("order", "o-7", Ct);
        Assert.StartsWith("{\"version\":1,", System.Text.Encoding.UTF8.GetString(stored!.Data.Span), StringComparison.Ordinal);
        Assert.Contains("\"state\":{\"due\":20", System.Text.Encoding.UTF8.GetString(stored.Data.Span), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\0b")]
    [InlineData("long")]
    public async Task Message_with_a_bad_id_is_a_dead_letter_that_says_why(string id)
    {
        await using var app = await SagaApp.StartAsync();

        await app.DeliverAsync("orders.check-out", new CheckOut(id == "long" ? new string('x', 201) : id, 20));
        await app.AdvanceAsync(TimeSpan.FromMinutes(5));

        var failure = Assert.IsType<InvalidMessageException>(Assert.Single(app.Harness.DeadLetters).Failure);
        Assert.StartsWith("The message is not valid: The id of its saga 'OrderSaga' ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task State_that_grows_too_large_fails_the_message_and_keeps_the_old_one()
    {
        await using var app = await SagaApp.StartAsync(static options => options.MaxBytes = 8 * 1024);
        await app.DeliverAsync("orders.check-out", new CheckOut("7", 20));

        await app.DeliverAsync("orders.address", new AddressChanged(new Customer(7), new string('x', 9000)));
        await app.AdvanceAsync(TimeSpan.FromMinutes(5));

        Assert.Null((await app.FindAsync("7"))!.City);
        Assert.Contains("SagaOptions.MaxBytes is 8192", Assert.Single(app.Harness.DeadLetters).Failure!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Saga_is_called_by_a_message_that_is_sent_within_the_process()
    {
        await using var app = await SagaApp.StartAsync();

        await app.Services.GetRequiredService<IDispatcher>().SendAsync(new CheckOut("7", 20), Ct);
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(20, (await app.FindAsync("7"))!.Due);
        Assert.Contains("ask 7 20", app.Log.Lines);
    }

    [Theory]
    [InlineData("KeepFor is")]
    [InlineData("Missing is 9")]
    [InlineData("MaxBytes is 10 ")]
    [InlineData("Name is 'a b'")]
    [InlineData("For<OrderSaga>().KeepFor is")]
    public async Task Wrong_option_ends_the_start_and_is_named(string what)
    {
        var failure = await Assert.ThrowsAsync<PostriderException>(() => SagaApp.StartAsync(options => _ = what[..4] switch
        {
            "Keep" => options.KeepFor = TimeSpan.Zero,
            "Miss" => (object)(options.Missing = (MissingSaga)9),
            "MaxB" => options.MaxBytes = 10,
            "Name" => options.For<OrderSaga>().Name = "a b",
            _ => options.For<OrderSaga>().KeepFor = TimeSpan.Zero,
        }));

        Assert.Equal(PostriderError.Configuration, failure.Error);
        Assert.Contains(what, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sagas_without_a_store_end_the_start()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider();
        builder.Services.AddPostriderSagas(SagaApp.Json);
        using var host = builder.Build();

        var failure = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.Contains("The sagas have no store", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Saga_without_AddPostriderSagas_fails_its_messages_with_the_call_that_is_missing()
    {
        await using var provider = new ServiceCollection().AddSingleton<SagaLog>().AddPostrider().BuildServiceProvider();

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await provider.GetRequiredService<IDispatcher>().SendAsync(new CheckOut("7", 1), Ct));

        Assert.Contains("call AddPostriderSagas", failure.Message, StringComparison.Ordinal);
    }
}
