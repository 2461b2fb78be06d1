namespace Postrider.InteropTests.Client;

public sealed class PublishAndSubscribeOfGoTests(GoFixture fixture) : PublishAndSubscribeTests(fixture), IClassFixture<GoFixture>;
