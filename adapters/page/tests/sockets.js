// WebSockets for tests. A test is the server: it lets the page in, speaks, and cuts the connection.

/** The sockets that the page has opened. */
export const sockets = [];

export class Socket {
  static OPEN = 1;
  readyState = 0;
  sent = [];

  constructor(address) {
    this.address = address;
    sockets.push(this);
  }

  open() {
    this.readyState = 1;
    this.onopen();
    return this;
  }

  hear(...lines) {
    for (const data of lines) this.onmessage?.({ data });
  }

  end(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(line) {
    this.sent.push(line);
  }

  close() {
    this.readyState = 2;
  }
}
