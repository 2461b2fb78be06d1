namespace Postrider.InteropTests.Client;

public sealed class RequestOfGoTests(GoFixture fixture) : RequestTests(fixture), IClassFixture<GoFixture>;
