using System.Runtime.CompilerServices;

namespace Postrider.Samples.Converter;

public sealed partial record CelsiusToFahrenheit(double Degrees) : IQuery<double>;

public sealed partial record FahrenheitToCelsius(double Degrees) : IQuery<double>;

public sealed partial record CelsiusToKelvin(double Degrees) : IQuery<double>;

public sealed partial record KelvinToCelsius(double Kelvin) : IQuery<double>;

public sealed partial record FahrenheitToRankine(double Degrees) : IQuery<double>;

public sealed partial record KelvinToRankine(double Kelvin) : IQuery<double>;

public sealed partial record TemperatureTable(int From, int To) : IStreamRequest<double>;

public sealed partial record Forget : ICommand;

public sealed partial record CountConverted : IQuery<int>;

public sealed partial record Converted(string What, double Result) : INotification;

/// <summary>Handlers that call the dispatcher again: each conversion uses other ones.</summary>
internal static class Temperatures
{
    [Handler]
    public static double Convert(CelsiusToFahrenheit query) => (query.Degrees * 9 / 5) + 32;

    [Handler]
    public static double Convert(FahrenheitToCelsius query) => (query.Degrees - 32) * 5 / 9;

    [Handler]
    public static double Convert(CelsiusToKelvin query) => query.Degrees + 273.15;

    [Handler]
    public static double Convert(KelvinToCelsius query) => query.Kelvin - 273.15;

    [Handler]
    public static async ValueTask<double> Convert(FahrenheitToRankine query, IDispatcher dispatcher, CancellationToken ct)
        => await dispatcher.SendAsync(new KelvinToRankine(await dispatcher.SendAsync(
            new CelsiusToKelvin(await dispatcher.SendAsync(new FahrenheitToCelsius(query.Degrees), ct)), ct)), ct);

    [Handler]
    public static double Convert(KelvinToRankine query) => query.Kelvin * 9 / 5;

    [Handler]
    public static async IAsyncEnumerable<double> Table(
        TemperatureTable request, IDispatcher dispatcher, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var degrees = request.From; degrees <= request.To; degrees++)
            yield return await dispatcher.SendAsync(new CelsiusToFahrenheit(degrees), ct);
    }
}

/// <summary>Is notified of every conversion, resets its count on command, and returns the count.</summary>
internal sealed class Tally : INotificationHandler<Converted>, ICommandHandler<Forget>, IRequestHandler<CountConverted, int>
{
    private readonly Counter _counter;

    public Tally(Counter counter) => _counter = counter;

    public ValueTask Handle(Converted notification, CancellationToken ct)
    {
        _counter.Count++;
        return default;
    }

    public ValueTask Handle(Forget command, CancellationToken ct)
    {
        _counter.Count = 0;
        return default;
    }

    public ValueTask<int> Handle(CountConverted request, CancellationToken ct) => new(_counter.Count);
}
