using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.TransportTests.Guide;

/// <summary>The code of docs/guide/dead-letters.md about keys.</summary>
public sealed class DeadLettersGuideTests
{
    private static readonly JsonSerializerProvider s_json = new(MoveParcelJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Later_message_of_a_key_is_not_handled_before_its_dead_letter()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var moved = new List<string>();
        var fails = true;
        builder.Services.AddPostrider(options => options.ReplaceCommand<MoveParcel>((move, _) =>
        {
            if (fails && move.To == "Oslo")
                throw new PostriderException(PostriderError.Refused, "no such depot");
            moved.Add($"{move.Parcel} to {move.To}");
            return default;
        }));
        Bind(builder, static _ => new InMemoryTransport(), s_json);
        using var host = builder.Build();
        await host.StartAsync(Ct);
        var transport = host.Services.GetRequiredKeyedService<ITransport>("parcels");
        var sender = transport.OpenSender("guide.parcels");
        async Task MoveAsync(string id, string parcel, string to)
            => await sender.SendAsync(new MessageProperties { MessageId = id, Key = parcel }, System.Text.Encoding.UTF8.GetBytes($$"""{"Parcel":"{{parcel}}","To":"{{to}}"}"""), Ct);

        await MoveAsync("1", "p7", "Oslo");
        await MoveAsync("2", "p7", "Bergen");
        await MoveAsync("3", "p8", "Bergen");
        Assert.Equal(["p8 to Bergen"], moved);
        fails = false;
        Assert.Equal(2, await transport.OpenDeadLetters("guide.parcels.dead").RedriveAsync(DeadLetterQuery.All, Ct));
        await MoveAsync("4", "p7", "Tromsø");

        Assert.Equal(["p8 to Bergen", "p7 to Oslo", "p7 to Bergen", "p7 to Tromsø"], moved);
        await host.StopAsync(Ct);
    }

    private static void Bind(HostApplicationBuilder builder, Func<IServiceProvider, ITransport> transport, ISerializerProvider serializers)
    {
        builder.Services.AddPostriderTransport("parcels", transport, serializers)
            .Command<MoveParcel>(new AtLeastOnceBinding("guide.parcels")
            {
                OrderByKey = true,
                DeadLetter = "guide.parcels.dead",
                KeepOrderBehindDeadLetters = true,
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, MaxDelay = TimeSpan.FromSeconds(5) },
            });
    }
}

internal sealed partial record MoveParcel(string Parcel, string To) : ICommand;

[JsonSerializable(typeof(MoveParcel))]
internal sealed partial class MoveParcelJson : JsonSerializerContext;
