using System.Text.Json.Serialization;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 77 and 78: the forms of MassTransit and of NServiceBus. Beside the real MassTransit they are in
/// <c>RabbitMq/MassTransitTests</c>.</summary>
public abstract class MigrationCases(TransportHarness harness) : CloudEventCases(harness)
{
    private const string Conversation = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

    private const string Cause = "0f8fad5b-d9cb-469f-a165-70867728950e";

    private static readonly JsonSerializerProvider s_json = new(MovedJson.Default);

    [Theory]
    [InlineData("envelope")]
    [InlineData("raw")]
    [InlineData("nservicebus")]
    public async Task Case_77_message_in_the_form_of_another_system_is_read_by_a_binding(string form)
    {
        var destination = await NewDestinationAsync();
        await using var services = new ServiceCollection().AddSingleton<MovedLog>().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(Transport, s_json, services).Notification<MovedNews>(In(form, Harness.Binding(destination)));
        await pump.StartAsync(Ct);
        await using var sender = new ServiceCollection().AddPostrider(options => options.RouteNotification<MovedNews>(_ => Transport, s_json, In(form, new SendTarget(destination)))).BuildServiceProvider();

        var sent = await sender.GetRequiredService<RoutedMessages>().SendAsync(
            new MovedNews("tea für 2", "Ada"), new CallOrigin { CorrelationId = Conversation, CausationId = Cause }, static properties => properties with { Headers = new Headers { { "Tenant", "grün" } } }, Ct);
        var (news, headers) = await services.GetRequiredService<MovedLog>().Handled.Reader.ReadAsync(Ct);

        Assert.Equal(new MovedNews("tea für 2", "Ada"), news);
        Assert.Equal((sent.MessageId, Conversation, "grün"), (headers[HeaderNames.MessageId], headers[HeaderNames.CorrelationId], headers["Tenant"]));
        Assert.Equal((Cause, "Ada"), (headers[HeaderNames.CausationId], headers[HeaderNames.Key]));
    }

    [Theory]
    [InlineData("envelope", "application/vnd.masstransit+json", """{"messageType":["urn:message:Shop:Other"],"message":{}}""")]
    [InlineData("envelope", "application/vnd.masstransit+json", """{"message":""")]
    [InlineData("nservicebus", "application/json", "{}")]
    public async Task Case_78_message_that_is_not_valid_in_its_form_is_a_dead_letter_as_it_arrived(string form, string contentType, string wrong)
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        await using var services = new ServiceCollection().AddSingleton<MovedLog>().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(Transport, s_json, services).Notification<MovedNews>(In(form, Harness.Binding(destination) with { DeadLetter = dead }));
        await pump.StartAsync(Ct);
        var headers = new Headers { { HeaderNames.ContentType, contentType }, { HeaderNames.MessageId, $"{destination}-1" } };
        if (form == "nservicebus")
            headers.Add("NServiceBus.EnclosedMessageTypes", "Shop.Other, Shop");

        await Transport.SendAsync(Message(destination, wrong, headers), Ct);
        var letter = await letters.NextAsync();

        Assert.Equal(("Unreadable", "1"), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[DeadLetterHeaders.Deliveries]));
        Assert.StartsWith("The message is not a valid message of ", letter.Headers[HeaderNames.Error], StringComparison.Ordinal);
        Assert.Equal((wrong, contentType), (Text(letter), letter.Headers[HeaderNames.ContentType]));
    }

    [Theory]
    [InlineData("envelope")]
    [InlineData("nservicebus")]
    public async Task Case_78_message_that_has_expired_in_its_form_is_a_dead_letter(string form)
    {
        var (destination, dead) = await NewDestinationWithDeadLettersAsync();
        await using var letters = await ListenAsync(Harness.Binding(dead));
        await using var services = new ServiceCollection().AddSingleton<MovedLog>().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(Transport, s_json, services).Notification<MovedNews>(In(form, Harness.Binding(destination) with { DeadLetter = dead }));
        await pump.StartAsync(Ct);
        var type = typeof(MovedNews);
        var (headers, body) = form == "envelope"
            ? (new Headers { { HeaderNames.ContentType, "application/vnd.masstransit+json" } }, $$$"""{"messageType":["urn:message:{{{type.Namespace}}}:{{{type.Name}}}"],"message":{"text":"late","about":"Ada"},"expirationTime":"2026-01-01T12:00:00Z"}""")
            : (new Headers { { "NServiceBus.EnclosedMessageTypes", type.FullName! }, { "NServiceBus.ContentType", "application/json" }, { "NServiceBus.TimeSent", "2026-01-01 11:59:00:000000 Z" }, { "NServiceBus.TimeToBeReceived", "00:01:00" } }, """{"text":"late","about":"Ada"}""");
        headers.Add(HeaderNames.MessageId, $"{destination}-1");

        await Transport.SendAsync(Message(destination, body, headers), Ct);
        var letter = await letters.NextAsync();

        Assert.Equal(("Expired", "The message expired at 2026-01-01T12:00:00.0000000Z."), (letter.Headers[DeadLetterHeaders.Reason], letter.Headers[HeaderNames.Error]));
        Assert.Contains("late", Text(letter), StringComparison.Ordinal);
        Assert.False(services.GetRequiredService<MovedLog>().Handled.Reader.TryRead(out _));
    }

    private static SendTarget In(string form, SendTarget target)
        => form == "nservicebus" ? target with { NServiceBus = new() } : target with { MassTransit = new() { Form = form == "raw" ? MassTransitForm.RawJson : MassTransitForm.Envelope } };

    private static AtLeastOnceBinding In(string form, AtLeastOnceBinding binding)
        => form == "nservicebus" ? binding with { NServiceBus = new() } : binding with { MassTransit = new() };
}

internal sealed partial record MovedNews(string Text, string About) : INotification, IKeyed
{
    [JsonIgnore] public string Key => About;
}

internal sealed class MovedLog
{
    public Channel<(MovedNews News, Headers Headers)> Handled { get; } = Channel.CreateUnbounded<(MovedNews, Headers)>();
}

internal static class MovedHandlers
{
    [Handler]
    public static void Note(MovedNews news, MessageContext context, MovedLog log)
    {
        // The context is valid until the handler returns.
        var headers = new Headers();
        foreach (var (name, value) in context.Headers)
            headers.Add(name, value);
        log.Handled.Writer.TryWrite((news, headers));
    }
}

[JsonSerializable(typeof(MovedNews))]
internal sealed partial class MovedJson : JsonSerializerContext;
