namespace Postrider.InteropTests.Client;

public sealed class PublishAndSubscribeOfInProcessTests(InProcessFixture fixture) : PublishAndSubscribeTests(fixture), IClassFixture<InProcessFixture>;
