namespace Postrider.InteropTests.Client;

public sealed class RequestOfInProcessTests(InProcessFixture fixture) : RequestTests(fixture), IClassFixture<InProcessFixture>;
