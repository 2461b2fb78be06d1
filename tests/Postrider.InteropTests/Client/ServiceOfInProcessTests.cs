namespace Postrider.InteropTests.Client;

public sealed class ServiceOfInProcessTests(InProcessFixture fixture) : ServiceTests(fixture), IClassFixture<InProcessFixture>;
