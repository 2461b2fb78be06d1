namespace Postrider.InteropTests.Client;

public sealed class ServiceOfGoTests(GoFixture fixture) : ServiceTests(fixture), IClassFixture<GoFixture>;
