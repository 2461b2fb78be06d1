using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Postrider;
using Postrider.Dispatch;
using Postrider.Samples.Converter;

var services = new ServiceCollection().AddSingleton<Counter>().AddScoped<Visit>();
services.AddPostrider();
await using var provider = services.BuildServiceProvider(validateScopes: true);
var dispatcher = provider.GetRequiredService<IDispatcher>();

// As objects of the interface type: each finds its handler by itself.
IQuery<double>[] queries =
[
    new MilesToKilometers(10),
    new FeetToMeters(10),
    new InchesToCentimeters(10),
    new YardsToMeters(10),
    new NauticalMilesToKilometers(10),
    new FathomsToMeters(10),
    new FurlongsToMeters(10),
    new ChainsToMeters(10),
    new LightYearsToTerameters(10),
    new AngstromsToNanometers(10),
    new PoundsToKilograms(10),
    new OuncesToGrams(10),
    new StonesToKilograms(10),
    new GrainsToMilligrams(10),
    new ShortTonsToKilograms(10),
    new LongTonsToKilograms(10),
    new CaratsToGrams(10),
    new TroyOuncesToGrams(10),
    new SlugsToKilograms(10),
    new DramsToGrams(10),
    new GallonsToLiters(10),
    new QuartsToLiters(10),
    new PintsToMilliliters(10),
    new CupsToMilliliters(10),
    new FluidOuncesToMilliliters(10),
    new TablespoonsToMilliliters(10),
    new TeaspoonsToMilliliters(10),
    new ImperialGallonsToLiters(10),
    new BarrelsToLiters(10),
    new BushelsToLiters(10),
    new HorsepowerToKilowatts(10),
    new CaloriesToJoules(10),
    new ThermalUnitsToJoules(10),
    new KilowattHoursToMegajoules(10),
    new ElectronvoltsToAttojoules(10),
    new AtmospheresToKilopascals(10),
    new BarsToKilopascals(10),
    new PoundsPerSquareInchToKilopascals(10),
    new MillimetersOfMercuryToPascals(10),
    new FootPoundsToJoules(10),
    new CelsiusToFahrenheit(10),
    new FahrenheitToCelsius(10),
    new CelsiusToKelvin(10),
    new KelvinToCelsius(10),
    new FahrenheitToRankine(10),
    new KelvinToRankine(10),
];
foreach (var query in queries)
{
    var result = await dispatcher.SendAsync(query);
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{query} = {result:0.######}"));
}

// With their own types: these calls are intercepted.
var heard = await dispatcher.SendAsync(new CountConverted());
await dispatcher.SendAsync(new Forget());
var sum = 0.0;
await foreach (var degrees in dispatcher.StreamAsync(new TemperatureTable(0, 9)))
    sum += degrees;

var since = await dispatcher.SendAsync(new CountConverted());
var map = provider.GetRequiredService<IHandlerMap>();
Console.WriteLine(string.Create(
    CultureInfo.InvariantCulture,
    $"{map.Messages.Count} message types; {heard} conversions heard, {since} since; sum of the table {sum:0.#}"));
try
{
    await dispatcher.SendAsync(new CelsiusToKelvin(double.NaN));
}
catch (ArgumentException refused)
{
    Console.WriteLine(refused.Message);
}
